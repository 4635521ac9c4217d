import { counted } from '@berth/core';
import { Anchor, Box, Group, Skeleton, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { IconFolderOff, IconLock } from '@tabler/icons-react';
import { Suspense, lazy } from 'react';
import { whenReachable } from '../../api/reachability.ts';
import { isKind } from '../../api/errors.ts';
import { CopyValue } from '../../ui/CopyValue.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import type { Version } from '../template-versions/version-words.ts';
import { contentOf, contentWords, sizeWords } from './file-content.ts';
import { firstFile } from './file-tree.ts';
import classes from './FilesTab.module.css';
import { FileTree } from './FileTree.tsx';
import type { TemplateFile } from './tar.ts';
import { useArchiveFiles } from './use-archive-files.ts';

const CodeView = lazy(() => whenReachable(() => import('./CodeView.tsx')).then((module) => ({ default: module.CodeView })));

/** The files of a version, to read. The address names the file and the line. */
export function FilesTab({ version }: { version: Version }): React.JSX.Element {
  const { file: wanted, line } = useSearch({ from: '/session/shell/templates/$organization/$name/versions/$version' });
  const navigate = useNavigate({ from: '/templates/$organization/$name/versions/$version' });
  const files = useArchiveFiles(version.job.file_id);
  if (files.isError) return <FilesFailure error={files.error} onRetry={() => void files.refetch()} />;
  if (files.data === undefined) return <Skeleton height={360} radius="md" aria-label="Loading files" />;
  const paths = files.data.map(({ path }) => path);
  const path = wanted ?? firstFile(paths);
  const shown = files.data.find((file) => file.path === path);
  if (paths.length === 0) return <EmptyState icon={<IconFolderOff size={24} />} title="This version has no files" />;
  return (
    <div className={classes['frame']}>
      <nav className={classes['tree']} aria-label="Files of this version">
        <FileTree
          label="Files"
          paths={paths}
          current={path}
          onOpen={(next) => void navigate({ search: { tab: 'files', file: next }, replace: true, resetScroll: false })}
        />
      </nav>
      <Box className={classes['file']}>
        {shown === undefined ? (
          <EmptyState icon={<IconFolderOff size={24} />} title="This version has no such file">
            {path}
          </EmptyState>
        ) : (
          <ShownFile
            key={shown.path}
            file={shown}
            line={line}
            onLine={(next) => void navigate({ search: { tab: 'files', file: shown.path, line: next }, replace: true, resetScroll: false })}
          />
        )}
      </Box>
    </div>
  );
}

interface ShownFileProps {
  readonly file: TemplateFile;
  readonly line: number | undefined;
  readonly onLine: (line: number) => void;
}

function ShownFile({ file, line, onLine }: ShownFileProps): React.JSX.Element {
  const content = contentOf(file);
  const lines = content.kind === 'text' ? content.text.replace(/\n$/, '').split('\n').length : 0;
  return (
    <>
      <Group className={classes['bar']} justify="space-between" gap="xs">
        <Group gap={4} wrap="nowrap" miw={0}>
          <Text size="sm" fw={600} className="wrap-anywhere">
            {file.path}
          </Text>
          {content.kind === 'text' && <CopyValue value={content.text} label={`Copy ${file.path}`} />}
        </Group>
        <Text size="xs" c="dimmed" className="tabular">
          {content.kind === 'text' && `${counted(lines, 'line')} · `}
          {sizeWords(file.bytes.length)}
          {file.isExecutable === true && ' · executable'}
        </Text>
      </Group>
      {content.kind === 'text' ? (
        <Suspense fallback={<Skeleton height={300} radius={0} />}>
          <CodeView path={file.path} text={content.text} line={line} onLine={onLine} />
        </Suspense>
      ) : (
        <Text size="sm" c="dimmed" p="lg">
          {contentWords(content)} {content.kind !== 'link' && <Download file={file} />}
        </Text>
      )}
    </>
  );
}

function Download({ file }: { file: TemplateFile }): React.JSX.Element {
  return (
    <Anchor
      component="button"
      type="button"
      inherit
      onClick={() => {
        const url = URL.createObjectURL(new Blob([file.bytes]));
        const link = document.createElement('a');
        link.href = url;
        link.download = file.path.slice(file.path.lastIndexOf('/') + 1);
        link.click();
        URL.revokeObjectURL(url);
      }}
    >
      Download it
    </Anchor>
  );
}

/** Why the files are not there to read. */
export function FilesFailure({ error, onRetry }: { error: unknown; onRetry: () => void }): React.JSX.Element {
  if (isKind(error, 'not_found')) {
    return (
      <EmptyState icon={<IconLock size={24} />} title="You may not read these files">
        Those who may change the template read its files. Ask one of its administrators.
      </EmptyState>
    );
  }
  return <ErrorNotice error={error} title="The files could not be loaded" onRetry={onRetry} />;
}
