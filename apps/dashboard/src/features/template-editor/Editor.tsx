import { counted } from '@berth/core';
import { Alert, Anchor, Button, Group, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Template } from '@berth/api/contract/templates';
import { IconFileOff, IconHammer, IconRosetteDiscountCheck } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';
import { When } from '../../ui/When.tsx';
import { contentOf, contentWords } from '../template-files/file-content.ts';
import { firstFile } from '../template-files/file-tree.ts';
import type { TemplateFile } from '../template-files/tar.ts';
import type { Version } from '../template-versions/version-words.ts';
import { templateTitle } from '../templates/template-name.ts';
import { TemplateCrumbs } from '../templates/TemplateCrumbs.tsx';
import type { Place } from './build/places.ts';
import { PublishDialog } from './build/PublishDialog.tsx';
import { publishRefusal } from './build/publish-refusal.ts';
import { useDraftBuild } from './build/use-draft-build.ts';
import type { GoTo } from './code/CodeEditor.tsx';
import { CodeEditor } from './code/CodeEditor.tsx';
import { OpenTabs } from './code/OpenTabs.tsx';
import type { Draft } from './draft/draft.ts';
import { changedPaths, draftOf, setText } from './draft/draft.ts';
import classes from './Editor.module.css';
import { EditorTree } from './EditorTree.tsx';
import { EditorLeaveGuard } from './EditorLeaveGuard.tsx';
import type { Panel } from './panel/SidePanel.tsx';
import { SidePanel } from './panel/SidePanel.tsx';
import { checkYaml } from './schema/check-yaml.ts';
import type { JsonSchema } from './schema/json-schema.ts';
import { useBerthSchema } from './schema/use-berth-schema.ts';
import { useKeptDraft } from './use-kept-draft.ts';

interface Props {
  readonly template: Template;
  /** The version that the work begins with. */
  readonly version: Version;
  readonly files: readonly TemplateFile[];
  readonly userId: string;
  /** Where a link points at. */
  readonly at: { readonly file?: string | undefined; readonly line?: number | undefined };
}

/** Files of a template to change: edit, build, try the form, publish. */
export function Editor({ template, version, files, userId, at }: Props): React.JSX.Element {
  const navigate = useNavigate();
  const base = useMemo(() => draftOf(files), [files]);
  const work = useKeptDraft({ userId, versionId: version.id }, base);
  const { draft } = work;
  const paths = draft.files.map(({ path }) => path);
  const [first] = useState(() => paths.find((path) => path === at.file) ?? firstFile(paths));
  const [open, setOpen] = useState<readonly string[]>(first === undefined ? [] : [first]);
  const [current, setCurrent] = useState(first);
  const [goTo, setGoTo] = useState<GoTo | undefined>(
    first !== undefined && first === at.file && at.line !== undefined ? { path: first, line: at.line } : undefined,
  );
  const [generation, setGeneration] = useState(0);
  const [panel, setPanel] = useState<Panel>();
  const [isPublishing, publishing] = useDisclosure(false);
  const isPublished = useRef(false);
  const build = useDraftBuild(template);
  const schema = useBerthSchema();
  const changed = useMemo(() => changedPaths(base, draft), [base, draft]);
  const isStale = build.isStale(draft);
  const refusal = publishRefusal({ version: build.version, isStale, isSending: build.isSending });
  const problems = useProblems(schema, draft);
  const file = draft.files.find(({ path }) => path === current);

  const show = (path: string): void => {
    setOpen((known) => (known.includes(path) ? known : [...known, path]));
    setCurrent(path);
  };
  const close = (path: string): void => {
    const rest = open.filter((one) => one !== path);
    setOpen(rest);
    if (path === current) setCurrent(rest[Math.max(0, open.indexOf(path) - 1)]);
  };
  /** A change that the editor did not make itself. */
  const replace = (next: Draft): void => {
    work.setDraft(next);
    setGeneration((count) => count + 1);
    const known = new Set(next.files.map(({ path }) => path));
    const rest = open.filter((path) => known.has(path));
    setOpen(rest);
    if (current !== undefined && !known.has(current)) setCurrent(rest.at(-1));
  };
  const runBuild = (): void => {
    if (build.isSending) return;
    setPanel(undefined);
    build.build({ draft });
  };
  const goToPlace = (place: GoTo): void => {
    if (!paths.includes(place.path)) return;
    show(place.path);
    setGoTo({ ...place });
  };
  const built = build.version?.job.status;
  const imported = built === 'succeeded' ? build.version : version.job.status === 'succeeded' ? version : undefined;
  const shownPanel =
    panel ?? (build.isSending || build.error !== null || (build.version !== undefined && built !== 'succeeded') ? 'build' : 'form');
  return (
    <Page
      title={`Edit ${templateTitle(template)}`}
      documentTitle={`Edit ${template.name}`}
      subtitle={
        <Group gap="sm">
          <TemplateCrumbs organization={template.organization_name} name={template.name} title={templateTitle(template)} isVersion />
          <Text inherit>{`from ${version.name}`}</Text>
          <Text inherit role="status">
            {statusWords(changed.size, work.keeping)}
          </Text>
        </Group>
      }
      actions={
        <>
          <Tooltip label="Ctrl or ⌘ and S">
            <Button
              variant={refusal === '' ? 'default' : 'filled'}
              leftSection={<IconHammer size={16} />}
              loading={build.isSending}
              onClick={runBuild}
            >
              Build
            </Button>
          </Tooltip>
          <Tooltip label={refusal} disabled={refusal === ''}>
            <Button
              variant={refusal === '' ? 'filled' : 'default'}
              leftSection={<IconRosetteDiscountCheck size={16} />}
              aria-disabled={refusal !== ''}
              data-disabled={refusal !== '' || undefined}
              onClick={() => {
                if (refusal === '') publishing.open();
              }}
            >
              Publish…
            </Button>
          </Tooltip>
        </>
      }
    >
      {work.restoredAt !== undefined && (
        <Alert color="blue" withCloseButton closeButtonLabel="Close" onClose={work.dismiss} p="sm">
          <Group gap="xs">
            <Text size="sm">
              You go on with what you had not published, last changed <When at={new Date(work.restoredAt).toISOString()} />.
            </Text>
            <Anchor
              component="button"
              type="button"
              size="sm"
              onClick={() => {
                work.discard();
                setGeneration((count) => count + 1);
                setOpen(first === undefined ? [] : [first]);
                setCurrent(first);
              }}
            >
              Discard it
            </Anchor>
          </Group>
        </Alert>
      )}
      <div className={classes['frame']}>
        <EditorTree
          draft={draft}
          current={current}
          changed={changed}
          onOpen={show}
          onDraft={(next, opened) => {
            replace(next);
            if (opened !== undefined) show(opened);
          }}
          onRenamed={(next, from, to) => {
            const moved = (path: string): string => (path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path);
            work.setDraft(next);
            setOpen((known) => known.map(moved));
            setCurrent((known) => (known === undefined ? undefined : moved(known)));
          }}
        />
        <section className={classes['main']} aria-label="Editor">
          <OpenTabs paths={open} current={current} changed={changed} onOpen={setCurrent} onClose={close} />
          {file === undefined ? (
            <EmptyState icon={<IconFileOff size={24} />} title="No file is open">
              Choose one on the left, or make a new one.
            </EmptyState>
          ) : file.text === undefined ? (
            <Text size="sm" c="dimmed" p="lg">
              {notEditable(file)}
            </Text>
          ) : (
            <CodeEditor
              path={file.path}
              text={file.text}
              generation={generation}
              schema={schema}
              goTo={goTo}
              onChange={(text) => work.setDraft(setText(draft, file.path, text))}
              onBuild={runBuild}
            />
          )}
        </section>
        <SidePanel
          panel={shownPanel}
          onPanel={setPanel}
          build={build}
          draft={draft}
          imported={imported}
          isStale={built === 'succeeded' ? isStale : changed.size > 0}
          problems={problems}
          onGoTo={goToPlace}
        />
      </div>
      {build.version !== undefined && (
        <PublishDialog
          key={build.version.id}
          template={template}
          version={build.version}
          isOpen={isPublishing}
          onClose={publishing.close}
          onPublished={(name) => {
            isPublished.current = true;
            work.forget();
            void navigate({
              to: '/templates/$organization/$name/versions/$version',
              params: { organization: template.organization_name, name: template.name, version: name },
            });
          }}
        />
      )}
      <EditorLeaveGuard isUnfinished={() => changed.size > 0 && !isPublished.current} isKept={work.keeping === 'kept'} />
    </Page>
  );
}

function statusWords(changes: number, keeping: 'kept' | 'no-room'): string {
  if (changes === 0) return '';
  const files = counted(changes, 'file changed', 'files changed');
  return keeping === 'kept' ? `${files}, kept on this device` : `${files}, too much to keep on this device`;
}

function notEditable(file: TemplateFile): string {
  const content = contentOf(file);
  return content.kind === 'text' ? '' : contentWords(content);
}

/** What the schema finds wrong in `berth.yaml`, soon after it was typed. */
function useProblems(schema: JsonSchema | undefined, draft: Draft): readonly Place[] {
  const text = useDeferredValue(draft.files.find(({ path }) => path === 'berth.yaml')?.text);
  return useMemo(() => {
    if (schema === undefined || text === undefined) return [];
    return checkYaml(schema, text).map(({ from, message }) => ({
      path: 'berth.yaml',
      line: text.slice(0, from).split('\n').length,
      message,
    }));
  }, [schema, text]);
}
