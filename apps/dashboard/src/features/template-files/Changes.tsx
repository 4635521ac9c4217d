import { counted } from '@berth/core';
import { Badge, Box, Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconGitCompare } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { ChangeKind, FileChange } from './compare-files.ts';
import { compareFiles, comparisonOf, totalOf } from './compare-files.ts';
import classes from './Changes.module.css';
import { DiffView } from './DiffView.tsx';
import { contentWords } from './file-content.ts';
import type { TemplateFile } from './tar.ts';

/** More than these are opened one by one: each is an editor of its own. */
const OPEN_MAX = 12;
const SHOWN_MAX = 300;

interface Props {
  readonly before: readonly TemplateFile[];
  readonly after: readonly TemplateFile[];
  readonly isSplit: boolean;
}

/** Every file that differs, with its lines. */
export function Changes({ before, after, isSplit }: Props): React.JSX.Element {
  const changes = useMemo(() => compareFiles(before, after), [before, after]);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  if (changes.length === 0) {
    return (
      <EmptyState icon={<IconGitCompare size={24} />} title="The same files">
        Both versions have the same files with the same content.
      </EmptyState>
    );
  }
  const total = totalOf(changes);
  return (
    <Stack gap="sm">
      <Group gap="xs" role="status">
        <Text size="sm">{counted(changes.length, 'file differs', 'files differ')}</Text>
        <LineCount added={total.added} removed={total.removed} />
      </Group>
      {changes.slice(0, SHOWN_MAX).map((change, index) => {
        const isOpen = index < OPEN_MAX !== toggled.has(change.path);
        return (
          <ChangedFile
            key={change.path}
            change={change}
            isOpen={isOpen}
            isSplit={isSplit}
            onToggle={() =>
              setToggled((known) => {
                const next = new Set(known);
                if (!next.delete(change.path)) next.add(change.path);
                return next;
              })
            }
          />
        );
      })}
      {changes.length > SHOWN_MAX && (
        <Text size="sm" c="dimmed">
          And {changes.length - SHOWN_MAX} more. Download both versions to compare them all.
        </Text>
      )}
    </Stack>
  );
}

interface ChangedFileProps {
  readonly change: FileChange;
  readonly isOpen: boolean;
  readonly isSplit: boolean;
  readonly onToggle: () => void;
}

function ChangedFile({ change, isOpen, isSplit, onToggle }: ChangedFileProps): React.JSX.Element {
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Box component="section" className={`surface ${classes['file'] ?? ''}`} aria-label={change.path}>
      <UnstyledButton className={classes['head']} aria-expanded={isOpen} onClick={onToggle}>
        <Chevron size={16} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm" fw={600} className="wrap-anywhere" span>
          {change.formerPath !== undefined && `${change.formerPath} → `}
          {change.path}
        </Text>
        <Group gap="xs" ml="auto" wrap="nowrap" component="span">
          <Badge component="span" size="sm" color={COLORS[change.kind]}>
            {WORDS[change.kind]}
          </Badge>
          <LineCount added={change.added} removed={change.removed} />
        </Group>
      </UnstyledButton>
      {isOpen && <Difference change={change} isSplit={isSplit} />}
    </Box>
  );
}

const WORDS: Readonly<Record<ChangeKind, string>> = {
  added: 'New',
  removed: 'Removed',
  changed: 'Changed',
  renamed: 'Renamed',
  mode: 'Mode',
};
const COLORS: Readonly<Record<ChangeKind, string>> = { added: 'green', removed: 'red', changed: 'blue', renamed: 'violet', mode: 'gray' };

function Difference({ change, isSplit }: { change: FileChange; isSplit: boolean }): React.JSX.Element {
  const [isAsked, setAsked] = useState(change.added + change.removed < LINES_MAX);
  if (change.kind === 'mode') {
    return <Words>{change.after?.isExecutable === true ? 'Now it is executable.' : 'It is no longer executable.'}</Words>;
  }
  if (change.kind === 'renamed') return <Words>Its content is the same.</Words>;
  const comparison = comparisonOf(change);
  if (comparison.kind !== 'text') return <Words>{contentWords(comparison)}</Words>;
  if (comparison.before === '' && comparison.after === '') return <Words>An empty file.</Words>;
  if (!isAsked) {
    return (
      <Group p="sm">
        <Button size="xs" variant="default" onClick={() => setAsked(true)}>
          Show {counted(change.added + change.removed, 'changed line')}
        </Button>
      </Group>
    );
  }
  return <DiffView path={change.path} before={comparison.before} after={comparison.after} isSplit={isSplit} />;
}

const LINES_MAX = 3000;

function Words({ children }: { children: React.ReactNode }): React.JSX.Element {
  return (
    <Text size="sm" c="dimmed" px="md" py="sm">
      {children}
    </Text>
  );
}

function LineCount({ added, removed }: { added: number; removed: number }): React.JSX.Element | null {
  if (added === 0 && removed === 0) return null;
  return (
    <span className={classes['count']}>
      {added > 0 && (
        <span className={classes['added']} aria-label={counted(added, 'line added', 'lines added')} role="img">
          +{added}
        </span>
      )}
      {removed > 0 && (
        <span className={classes['removed']} aria-label={counted(removed, 'line removed', 'lines removed')} role="img">
          −{removed}
        </span>
      )}
    </span>
  );
}
