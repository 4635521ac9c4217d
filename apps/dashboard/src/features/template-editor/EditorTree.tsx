import { counted } from '@berth/core';
import { ActionIcon, Box, Button, FileButton, Group, Menu, Modal, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconDots, IconFilePlus, IconFolderPlus, IconPencil, IconTrash, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import type { TreeNode } from '../template-files/file-tree.ts';
import { FileTree } from '../template-files/FileTree.tsx';
import type { Draft, Outcome } from './draft/draft.ts';
import { addFile, addFolder, putFiles, remove, rename } from './draft/draft.ts';
import classes from './Editor.module.css';

/** More than this belongs somewhere else than into a template. */
const UPLOAD_BYTES_MAX = 8 * 1024 * 1024;

type Question =
  | { readonly kind: 'file' | 'folder'; readonly prefix: string }
  | { readonly kind: 'rename'; readonly node: TreeNode }
  | { readonly kind: 'remove'; readonly node: TreeNode };

interface Props {
  readonly draft: Draft;
  readonly current: string | undefined;
  readonly changed: ReadonlySet<string>;
  readonly onOpen: (path: string) => void;
  /** A change to which files there are; `open` is the file to show then. */
  readonly onDraft: (draft: Draft, open?: string) => void;
  /** Moves the open files along. */
  readonly onRenamed: (draft: Draft, from: string, to: string) => void;
}

/** The files of the draft, and what can be done with them. */
export function EditorTree({ draft, current, changed, onOpen, onDraft, onRenamed }: Props): React.JSX.Element {
  const [question, setQuestion] = useState<Question>();
  const [problem, setProblem] = useState('');
  const upload = async (files: readonly File[], folder: string): Promise<void> => {
    if (files.length === 0) return;
    if (files.reduce((sum, { size }) => sum + size, 0) > UPLOAD_BYTES_MAX) {
      setProblem('These files have more than 8 MiB together. Put large files where the template can fetch them.');
      return;
    }
    const read = await Promise.all(files.map(async (file) => ({ path: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
    const outcome = putFiles(draft, folder, read);
    setProblem(outcome.ok ? '' : outcome.problem);
    if (outcome.ok) onDraft(outcome.draft, read[0] === undefined ? undefined : `${folder === '' ? '' : `${folder}/`}${read[0].path}`);
  };
  return (
    <Box className={classes['side']}>
      <Group className={classes['toolbar']} justify="space-between" wrap="nowrap">
        <Text size="xs" fw={650} c="dimmed">
          Files
        </Text>
        <Group gap={2} wrap="nowrap">
          <Tool label="New file" onClick={() => setQuestion({ kind: 'file', prefix: '' })} icon={<IconFilePlus size={16} />} />
          <Tool label="New folder" onClick={() => setQuestion({ kind: 'folder', prefix: '' })} icon={<IconFolderPlus size={16} />} />
          <FileButton multiple onChange={(files) => void upload(files, '')} inputProps={{ 'aria-label': 'Files to add' }}>
            {({ onClick }) => <Tool label="Upload files" onClick={onClick} icon={<IconUpload size={16} />} />}
          </FileButton>
        </Group>
      </Group>
      {problem !== '' && (
        <Text size="xs" c="var(--mantine-color-error)" px="sm" pb={6} role="alert">
          {problem}
        </Text>
      )}
      <nav className={classes['tree']} aria-label="Files of the template">
        <FileTree
          label="Files"
          paths={draft.files.map(({ path }) => path)}
          folders={draft.folders}
          current={current}
          onOpen={onOpen}
          mark={(path) => changed.has(path) && <span className={classes['dot']} role="img" aria-label="changed" />}
          actions={(node) => <NodeMenu node={node} onQuestion={setQuestion} />}
        />
      </nav>
      <QuestionDialog
        question={question}
        draft={draft}
        onClose={() => setQuestion(undefined)}
        onAnswer={(next, answer) => {
          setQuestion(undefined);
          setProblem('');
          if (answer.kind === 'renamed') onRenamed(next, answer.from, answer.to);
          else onDraft(next, answer.open);
        }}
      />
    </Box>
  );
}

function Tool({ label, icon, onClick }: { label: string; icon: React.ReactNode; onClick: () => void }): React.JSX.Element {
  return (
    <Tooltip label={label}>
      <ActionIcon size={28} variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

function NodeMenu({ node, onQuestion }: { node: TreeNode; onQuestion: (question: Question) => void }): React.JSX.Element {
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon size={24} mr={2} variant="subtle" color="gray" className={classes['more']} aria-label={`Actions for ${node.path}`}>
          <IconDots size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {node.kind === 'folder' && (
          <Menu.Item leftSection={<IconFilePlus size={15} />} onClick={() => onQuestion({ kind: 'file', prefix: `${node.path}/` })}>
            New file here…
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => onQuestion({ kind: 'rename', node })}>
          Rename…
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={15} />} color="red" onClick={() => onQuestion({ kind: 'remove', node })}>
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

type Answer =
  | { readonly kind: 'changed'; readonly open?: string }
  | { readonly kind: 'renamed'; readonly from: string; readonly to: string };

interface DialogProps {
  readonly question: Question | undefined;
  readonly draft: Draft;
  readonly onClose: () => void;
  readonly onAnswer: (draft: Draft, answer: Answer) => void;
}

const TITLES = { file: 'New file', folder: 'New folder', rename: 'Rename', remove: 'Delete' } as const;

function QuestionDialog({ question, onClose, ...rest }: DialogProps): React.JSX.Element {
  return (
    <Modal
      opened={question !== undefined}
      onClose={onClose}
      title={question === undefined ? '' : TITLES[question.kind]}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {question?.kind === 'remove' ? (
        <RemoveForm node={question.node} onClose={onClose} {...rest} />
      ) : (
        question !== undefined && <PathForm question={question} onClose={onClose} {...rest} />
      )}
    </Modal>
  );
}

interface PathFormProps extends Omit<DialogProps, 'question'> {
  readonly question: Exclude<Question, { readonly kind: 'remove' }>;
}

function PathForm({ question, draft, onClose, onAnswer }: PathFormProps): React.JSX.Element {
  const former = question.kind === 'rename' ? question.node.path : question.prefix;
  const [path, setPath] = useState(former);
  const [problem, setProblem] = useState('');
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    const wanted = path.trim();
    const outcome: Outcome =
      question.kind === 'rename'
        ? rename(draft, former, wanted)
        : question.kind === 'folder'
          ? addFolder(draft, wanted)
          : addFile(draft, { path: wanted, bytes: new Uint8Array(), text: '' });
    if (!outcome.ok) {
      setProblem(outcome.problem);
      return;
    }
    onAnswer(
      outcome.draft,
      question.kind === 'rename'
        ? { kind: 'renamed', from: former, to: wanted }
        : { kind: 'changed', ...(question.kind === 'file' ? { open: wanted } : {}) },
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="Path"
          description={question.kind === 'folder' ? 'It is kept once a file is in it.' : 'Folders with slashes: scripts/install.sh'}
          data-autofocus
          spellCheck={false}
          autoComplete="off"
          value={path}
          error={problem}
          onChange={(event) => {
            setPath(event.currentTarget.value);
            setProblem('');
          }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">{question.kind === 'rename' ? 'Rename' : 'Create'}</Button>
        </Group>
      </Stack>
    </form>
  );
}

function RemoveForm({ node, draft, onClose, onAnswer }: Omit<DialogProps, 'question'> & { readonly node: TreeNode }): React.JSX.Element {
  const count = draft.files.filter(({ path }) => path.startsWith(`${node.path}/`)).length;
  return (
    <Stack>
      <Text size="sm" className="wrap-anywhere">
        Removes {node.path}
        {node.kind === 'file' ? '' : ` and the ${counted(count, 'file')} in it`} from the draft. Existing versions keep it.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Keep it
        </Button>
        <Button color="red" data-autofocus onClick={() => onAnswer(remove(draft, node.path), { kind: 'changed' })}>
          Delete
        </Button>
      </Group>
    </Stack>
  );
}
