import { Affix, Button, Group, Paper, Text } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconArrowUp, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { BulkAction } from './bulk-words.ts';
import { BulkDialog } from './BulkDialog.tsx';
import { SELECTED_MAX } from '../list/selection.ts';
import type { SelectionActions } from '../list/use-selection.ts';

interface Props {
  readonly selected: SelectionActions;
  /** All that the list has. */
  readonly count: number;
}

/** What can be done with all selected workspaces at once. It lies over the page, so that nothing moves when it comes. */
export function BulkBar({ selected, count }: Props): React.JSX.Element {
  const workspaces = [...selected.selection.rows.values()];
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
                  {workspaces.length.toLocaleString('en')} selected
                </Text>
                {workspaces.length < Math.min(count, SELECTED_MAX) && (
                  <Button size="xs" variant="subtle" loading={selected.isLoading} onClick={() => selected.selectAll(count)}>
                    {count > SELECTED_MAX
                      ? `Select the first ${SELECTED_MAX.toLocaleString('en')}`
                      : `Select all ${count.toLocaleString('en')}`}
                  </Button>
                )}
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
                <Button size="xs" variant="subtle" onClick={selected.clear}>
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
            selected.clear();
          }}
        />
      )}
    </>
  );
}
