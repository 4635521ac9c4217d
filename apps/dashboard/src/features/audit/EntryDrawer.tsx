import { ActionIcon, Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { takesText } from '../../shell/use-shortcuts.ts';
import { CopyValue } from '../../ui/CopyValue.tsx';
import { useDevicePreferences } from '../../ui/device-preferences.ts';
import { LoadFailure, NotFound } from '../../ui/NotFound.tsx';
import { EntryDetails } from './EntryDetails.tsx';
import type { AuditLog } from './audit-words.ts';
import { sentence } from './audit-words.ts';

interface Props {
  /** The id in the address; undefined when nothing is open. */
  readonly entry: string | undefined;
  /** The rows of the page, among which one goes up and down. */
  readonly rows: readonly AuditLog[];
  readonly onOpen: (id: string | undefined) => void;
}

/** One entry with all that it holds. Its address can be given to others: it is found whatever page it is on. */
export function EntryDrawer({ entry, rows, onOpen }: Props): React.JSX.Element {
  const at = rows.findIndex(({ id }) => id === entry);
  const { plainKeys } = useDevicePreferences();
  const known = rows[at];
  const found = useQuery(
    trpc.audit.page.queryOptions({ q: `id:${entry ?? ''}`, limit: 1 }, { enabled: entry !== undefined && known === undefined }),
  );
  const row = known ?? (entry === undefined ? undefined : found.data?.audit_logs[0]);
  const [newer, older] = at === -1 ? [undefined, undefined] : [rows[at - 1], rows[at + 1]];
  useWindowEvent('keydown', (event) => {
    if (entry === undefined || !plainKeys || event.ctrlKey || event.metaKey || event.altKey || takesText(event.target)) return;
    const next = event.key === 'j' ? older : event.key === 'k' ? newer : undefined;
    if (next === undefined) return;
    event.preventDefault();
    onOpen(next.id);
  });
  const back = (
    <Button variant="default" onClick={() => onOpen(undefined)}>
      Go to the audit log
    </Button>
  );
  const missing = { kind: 'audit entry', name: entry ?? '', back, isPage: false };
  const words =
    row === undefined
      ? 'Entry'
      : sentence(row)
          .map(({ text }) => text)
          .join('');
  return (
    <Drawer
      opened={entry !== undefined}
      onClose={() => onOpen(undefined)}
      position="right"
      size="min(760px, 100vw)"
      title={
        <Text fw={600} className="wrap-anywhere">
          {words}
        </Text>
      }
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <Group gap={4}>
          <CopyValue value={linkOf(entry ?? '')} label="Copy the link to this entry" />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Newer entry"
            title="Newer entry (k)"
            disabled={newer === undefined}
            onClick={() => onOpen(newer?.id)}
          >
            <IconChevronUp size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Older entry"
            title="Older entry (j)"
            disabled={older === undefined}
            onClick={() => onOpen(older?.id)}
          >
            <IconChevronDown size={16} />
          </ActionIcon>
        </Group>
        {row !== undefined ? (
          <EntryDetails row={row} />
        ) : found.isError ? (
          <LoadFailure error={found.error} {...missing} onRetry={() => void found.refetch()} />
        ) : found.isPending ? (
          <Skeleton height={240} radius="md" />
        ) : (
          <NotFound {...missing} />
        )}
      </Stack>
    </Drawer>
  );
}

function linkOf(entry: string): string {
  return `${location.origin}/audit?${new URLSearchParams({ entry })}`;
}
