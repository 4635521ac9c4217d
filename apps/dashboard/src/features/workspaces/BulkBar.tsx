import { Affix, Button, Group, Paper, Text } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconArrowUp, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { BulkAction } from './bulk-words.ts';
import { BulkDialog } from './BulkDialog.tsx';

interface Props {
  /** Those that are selected and shown. */
  readonly workspaces: readonly Workspace[];
  readonly onClear: () => void;
}

/** What can be done with all selected workspaces at once. It lies over the page, so that nothing moves when it comes. */
export function BulkBar({ workspaces, onClear }: Props): React.JSX.Element {
  // What was asked to be done, and with which: they may be gone from the list before the answers were read.
  const [asked, setAsked] = useState<{ readonly action: BulkAction; readonly workspaces: readonly Workspace[] }>();
  const ask = (action: BulkAction): void => setAsked({ action, workspaces });
  return (
    <>
      {workspaces.length > 0 && (
        <Affix withinPortal={false} position={{ bottom: 16, left: 16, right: 16 }} style={{ pointerEvents: 'none' }}>
          <Group justify="center">
            <Paper withBorder shadow="lg" px="md" py="xs" role="toolbar" aria-label="Selected workspaces" style={{ pointerEvents: 'auto' }}>
              <Group gap="xs">
                <Text size="sm" fw={600} role="status" mr="xs">
                  {workspaces.length} selected
                </Text>
                <Button size="xs" variant="default" leftSection={<IconPlayerPlay size={14} />} onClick={() => ask('start')}>
                  Start
                </Button>
                <Button size="xs" variant="default" leftSection={<IconPlayerStop size={14} />} onClick={() => ask('stop')}>
                  Stop
                </Button>
                <Button size="xs" variant="default" leftSection={<IconArrowUp size={14} />} onClick={() => ask('update')}>
                  Update
                </Button>
                <Button size="xs" variant="light" color="red" leftSection={<IconTrash size={14} />} onClick={() => ask('delete')}>
                  Delete…
                </Button>
                <Button size="xs" variant="subtle" onClick={onClear}>
                  Clear
                </Button>
              </Group>
            </Paper>
          </Group>
        </Affix>
      )}
      {asked !== undefined && (
        <BulkDialog
          action={asked.action}
          workspaces={asked.workspaces}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setAsked(undefined);
            onClear();
          }}
        />
      )}
    </>
  );
}
