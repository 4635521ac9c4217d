import { Affix, Group, Loader, Paper, Text } from '@mantine/core';
import { useDebouncedValue, useNetwork } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';
import { useIsInterrupted, useIsUnreachable } from '../api/use-live-state.ts';

/** Shorter interruptions are not worth a notice. */
const QUIET_MS = 1500;

/** Says that the server cannot be reached, or that what is on the page may be old, for as long as that is so. */
export function LiveNotice(): React.JSX.Element | null {
  const { online } = useNetwork();
  const isUnreachable = useIsUnreachable();
  const isInterrupted = useIsInterrupted() || isUnreachable;
  const [wasInterrupted] = useDebouncedValue(isInterrupted, QUIET_MS);
  if (!online) {
    return (
      <Notice icon={<IconWifiOff size={16} aria-hidden />}>
        You are offline. What you see may be old; it updates when the connection is back.
      </Notice>
    );
  }
  if (!isInterrupted || !wasInterrupted) return null;
  return (
    <Notice icon={<Loader size={14} color="yellow" />}>
      {isUnreachable ? 'The server cannot be reached. Trying again…' : 'Live updates are interrupted. Reconnecting…'}
    </Notice>
  );
}

function Notice({ icon, children }: { icon: React.ReactNode; children: React.ReactNode }): React.JSX.Element {
  return (
    <Affix position={{ bottom: 16, left: 16, right: 16 }} style={{ width: 'fit-content' }}>
      <Paper withBorder shadow="md" px="md" py="xs" role="status">
        <Group gap="sm" wrap="nowrap">
          {icon}
          <Text size="sm">{children}</Text>
        </Group>
      </Paper>
    </Affix>
  );
}
