import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Workspace } from '@berth/api/contract/workspaces';
import { isBuildActive } from '@berth/domain';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Section } from '../account/Section.tsx';
import { ChangeParameters } from './ChangeParameters.tsx';
import { DeleteWorkspace } from './DeleteWorkspace.tsx';
import { RenameWorkspace } from './RenameWorkspace.tsx';
import { useWorkspaceRights } from './use-workspace-rights.ts';

/** The name, the answers and the end of a workspace. */
export function SettingsTab({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const { may, isKnown } = useWorkspaceRights(workspace);
  const [isDeleting, deletion] = useDisclosure(false);
  if (!isKnown) return <Skeleton height={260} radius="md" />;
  if (!may.update && !may.delete) {
    return (
      <Text size="sm" c="dimmed">
        You may look at this workspace, but not change it.
      </Text>
    );
  }
  return (
    <Stack>
      {may.update && <RenameWorkspace key={workspace.name} workspace={workspace} />}
      {may.update && <Parameters workspace={workspace} />}
      {may.delete && (
        <Section
          title="Delete"
          description="Everything in it goes with it, its files included."
          actions={
            <Button color="red" variant="light" disabled={isBuildActive(workspace.latest_build.status)} onClick={deletion.open}>
              Delete workspace…
            </Button>
          }
        >
          <DeleteWorkspace workspace={workspace} isOpen={isDeleting} onClose={deletion.close} />
        </Section>
      )}
    </Stack>
  );
}

function Parameters({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const build = workspace.latest_build;
  const version = workspace.outdated ? workspace.template_active_version_id : build.template_version_id;
  const current = useQuery(trpc.templateVersions.richParameters.queryOptions({ templateversion: build.template_version_id }));
  const active = useQuery(trpc.templateVersions.richParameters.queryOptions({ templateversion: version }));
  const values = useQuery(trpc.builds.parameters.queryOptions({ workspacebuild: build.id }));
  const failed = [current, active, values].find(({ isError }) => isError);
  return (
    <Section title="Parameters" description="What it was last built with. A change takes effect with a new start.">
      {failed !== undefined ? (
        <ErrorNotice error={failed.error} title="The parameters could not be loaded" onRetry={() => void failed.refetch()} />
      ) : current.data === undefined || active.data === undefined || values.data === undefined ? (
        <Skeleton height={160} />
      ) : (
        <ChangeParameters key={build.id} workspace={workspace} current={current.data} active={active.data} values={values.data} />
      )}
    </Section>
  );
}
