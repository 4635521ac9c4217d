import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Workspace } from '@berth/api/contract/workspaces';
import { isBuildActive } from '@berth/domain';
import { ask, usePermissions } from '../access/use-permissions.ts';
import { Section } from '../account/Section.tsx';
import { DeleteWorkspace } from './DeleteWorkspace.tsx';
import { RenameWorkspace } from './RenameWorkspace.tsx';
import { States } from './States.tsx';
import { useWorkspaceRights } from './use-workspace-rights.ts';

/** The name, the stored states and the deletion of a workspace. */
export function SettingsTab({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const { may, isKnown } = useWorkspaceRights(workspace);
  const template = usePermissions({ update: ask('template:update', { resource_id: workspace.template_id }) });
  const [isDeleting, deletion] = useDisclosure(false);
  const latest = workspace.latest_build;
  if (!isKnown || !template.isKnown) return <Skeleton height={260} radius="md" />;
  if (!may.update && !may.delete && !template.may.update) {
    return (
      <Text size="sm" c="dimmed">
        You may look at this workspace, but not change it.
      </Text>
    );
  }
  return (
    <Stack>
      {may.update && <RenameWorkspace key={workspace.name} workspace={workspace} />}
      {template.may.update && <States key={latest.id + latest.status} workspace={workspace} mayRestore={may.update} />}
      {may.delete && (
        <Section
          title="Delete"
          description="Everything in it goes with it, its files included."
          actions={
            <Button color="red" variant="light" disabled={isBuildActive(latest.status)} onClick={deletion.open}>
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
