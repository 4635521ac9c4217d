import { counted } from '@berth/core';
import { Box, Button, Group, Modal, ScrollArea, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink } from '../../ui/links.tsx';

type Change = Parameters<typeof client.templates.policyImpact.mutate>[0];

interface Props {
  readonly isOpen: boolean;
  readonly change: Change;
  readonly isPending: boolean;
  readonly onClose: () => void;
  readonly onSave: () => void;
}

/** Which workspaces a change of the rules touches, before it is made. */
export function PolicyImpact({ isOpen, onClose, ...review }: Props): React.JSX.Element {
  return (
    <Modal opened={isOpen} onClose={onClose} size="xl" title="What this changes" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Review {...review} onClose={onClose} />
    </Modal>
  );
}

function Review({ change, isPending, onClose, onSave }: Omit<Props, 'isOpen'>): React.JSX.Element {
  const impact = useQuery({
    queryKey: ['policy impact', change],
    queryFn: ({ signal }) => client.templates.policyImpact.mutate(change, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Stack>
      {impact.isError ? (
        <ErrorNotice error={impact.error} title="What it changes could not be worked out" onRetry={() => void impact.refetch()} />
      ) : impact.data === undefined ? (
        <Skeleton height={160} aria-busy="true" />
      ) : (
        <Touched impact={impact.data} />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Back
        </Button>
        <Button loading={isPending} disabled={impact.data === undefined} onClick={onSave}>
          Save the rules
        </Button>
      </Group>
    </Stack>
  );
}

function Touched({ impact }: { impact: Awaited<ReturnType<typeof client.templates.policyImpact.mutate>> }): React.JSX.Element {
  const all = impact.examined === 1 ? 'the only workspace' : counted(impact.examined, 'workspace');
  return (
    <>
      <Text size="sm" role="status">
        {impact.examined === 0
          ? 'There is no workspace of this template yet. The rules hold for those to come.'
          : impact.count === 0
            ? `Of ${all}, it touches none. The rules hold for what comes.`
            : impact.examined === 1
              ? 'It touches the only workspace of this template.'
              : `It touches ${impact.count.toLocaleString('en')} of ${all}.`}
        {!impact.is_complete && ' There are more workspaces than could be looked at.'}
      </Text>
      {impact.workspaces.length > 0 && (
        <ScrollArea.Autosize mah={380} viewportProps={{ tabIndex: 0, 'aria-label': 'Workspaces that it touches', role: 'region' }}>
          <Box className="surface">
            <Table verticalSpacing="xs" horizontalSpacing="sm" aria-label="Workspaces that it touches">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Workspace</Table.Th>
                  <Table.Th>What becomes of it</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {impact.workspaces.map((workspace) => (
                  <Table.Tr key={workspace.workspace_id} style={{ verticalAlign: 'top' }}>
                    <Table.Td className="wrap-anywhere">
                      <AnchorLink
                        size="sm"
                        to="/@{$owner}/$name"
                        params={{ owner: workspace.owner_name, name: workspace.workspace_name }}
                        target="_blank"
                      >
                        {workspace.owner_name}/{workspace.workspace_name}
                      </AnchorLink>
                    </Table.Td>
                    <Table.Td>
                      {workspace.effects.map((effect) => (
                        <Text key={effect.kind} size="sm">
                          {localTimes(effect.detail)}
                        </Text>
                      ))}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Box>
        </ScrollArea.Autosize>
      )}
      {impact.count > impact.workspaces.length && (
        <Text size="sm" c="dimmed">
          And {(impact.count - impact.workspaces.length).toLocaleString('en')} more.
        </Text>
      )}
    </>
  );
}

const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A sentence of the server with its instants as the reader's clock shows them. */
function localTimes(sentence: string): string {
  return sentence.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (instant) => time.format(new Date(instant)));
}
