import { Affix, Group, Loader, Paper, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useIsInterrupted } from '../api/use-live-state.ts';

/** Shorter interruptions are nobody's business. */
const QUIET_MS = 1500;

/** Says that what is on the page may be old, for as long as it may. */
export function LiveNotice(): React.JSX.Element | null {
  const isInterrupted = useIsInterrupted();
  const [wasInterrupted] = useDebouncedValue(isInterrupted, QUIET_MS);
  if (!isInterrupted || !wasInterrupted) return null;
  return (
    <Affix position={{ bottom: 16, left: 16 }}>
      <Paper withBorder shadow="md" px="md" py="xs" role="status">
        <Group gap="sm">
          <Loader size={14} color="yellow" />
          <Text size="sm">Live updates are interrupted. Connecting again…</Text>
        </Group>
      </Paper>
    </Affix>
  );
}
