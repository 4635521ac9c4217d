import { Badge, Button, Group, Skeleton, Table, Text, VisuallyHidden } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { StoredState } from '@berth/api/contract/builds';
import type { Workspace } from '@berth/api/contract/workspaces';
import { isBuildActive } from '@berth/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client, trpc } from '../../api/trpc.ts';
import { saveBlob } from '../../ui/download.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { When } from '../../ui/When.tsx';
import { Section } from '../account/Section.tsx';
import { sizeWords } from '../template-files/file-content.ts';
import { storeWorkspace } from '../workspaces/workspace-cache.ts';

/** The newest ones; older states are in the API. */
const STATES_SHOWN = 50;

interface Props {
  readonly workspace: Workspace;
  readonly mayRestore: boolean;
}

/** The states that the builds of a workspace left behind, for those who may update its template. */
export function States({ workspace, mayRestore }: Props): React.JSX.Element {
  const states = useQuery(trpc.builds.listStates.queryOptions({ workspace: workspace.id, limit: STATES_SHOWN }, { staleTime: 0 }));
  return (
    <Section
      title="States"
      description="What the provisioner recorded after each build: the resources that exist. Restore an earlier state when the current one is damaged."
    >
      {states.isError ? (
        <ErrorNotice error={states.error} title="The states could not be loaded" onRetry={() => void states.refetch()} />
      ) : states.data === undefined ? (
        <Skeleton height={120} role="status" aria-label="Loading states" />
      ) : states.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          No build has stored a state yet.
        </Text>
      ) : (
        <Table verticalSpacing="xs" aria-label="States">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Build</Table.Th>
              <Table.Th visibleFrom="sm">Stored</Table.Th>
              <Table.Th visibleFrom="sm">Size</Table.Th>
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {states.data.map((state) => (
              <StateRow key={state.build_id} workspace={workspace} state={state} mayRestore={mayRestore} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  );
}

function StateRow({ workspace, state, mayRestore }: Props & { readonly state: StoredState }): React.JSX.Element {
  const number = String(state.build_number);
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <AnchorLink
            to="/@{$owner}/$name/builds/$number"
            params={{ owner: workspace.owner_name, name: workspace.name, number }}
            size="sm"
            fw={600}
          >
            #{number} {state.transition}
          </AnchorLink>
          {state.is_current && (
            <Badge size="sm" variant="light">
              Current
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">
          <When at={state.updated_at} />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm" className="tabular">
          {sizeWords(state.size)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end">
          <Download workspace={workspace} state={state} />
          {mayRestore && !state.is_current && <Restore workspace={workspace} state={state} />}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

interface ActionProps {
  readonly workspace: Workspace;
  readonly state: StoredState;
}

function Download({ workspace, state }: ActionProps): React.JSX.Element {
  const download = useMutation({
    mutationFn: () => stateOf(state.build_id),
    onSuccess: (blob) => saveBlob(`${workspace.name}-build-${state.build_number}-state.json`, blob),
    onError: (error) => notifyFailure('The state could not be downloaded', error),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={download.isPending}
      onClick={() => download.mutate()}
      aria-label={`Download the state of build #${state.build_number}`}
    >
      Download
    </Button>
  );
}

async function stateOf(buildId: string): Promise<Blob> {
  const { provisioner_state: base64 } = await client.builds.state.query({ workspacebuild: buildId });
  return new Blob([Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0)], { type: 'application/json' });
}

function Restore({ workspace, state }: ActionProps): React.JSX.Element {
  // A stopped workspace stays stopped.
  const transition = workspace.latest_build.transition === 'start' ? 'start' : 'stop';
  const restore = useMutation({
    mutationFn: () => client.builds.restoreState.mutate({ workspacebuild: state.build_id, transition }),
    onSuccess: (build) => {
      storeWorkspace({ ...workspace, latest_build: build });
      notifyDone(`Build #${build.build_number} starts from the state of build #${state.build_number}.`);
    },
    onError: (error) => notifyFailure('The state could not be restored', error),
  });
  const confirm = (): void => {
    modals.openConfirmModal({
      title: `Restore the state of build #${state.build_number}?`,
      children: (
        <Text size="sm">
          This creates a {transition} build that starts from that state. Resources that were created after it are no longer tracked, and
          have to be removed by hand. The current state stays in this list.
        </Text>
      ),
      labels: { confirm: 'Restore state', cancel: 'Cancel' },
      confirmProps: { color: 'red.8' },
      onConfirm: () => restore.mutate(),
    });
  };
  return (
    <Button
      size="xs"
      variant="default"
      loading={restore.isPending}
      disabled={isBuildActive(workspace.latest_build.status)}
      onClick={confirm}
      aria-label={`Restore the state of build #${state.build_number}`}
    >
      Restore…
    </Button>
  );
}
