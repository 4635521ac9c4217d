import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Workspace } from '@berth/api/contract/workspaces';
import { isBuildActive } from '@berth/domain';
import { Section } from '../account/Section.tsx';
import { DeleteWorkspace } from './DeleteWorkspace.tsx';
import { RenameWorkspace } from './RenameWorkspace.tsx';
import { useWorkspaceRights } from './use-workspace-rights.ts';

/** The name and the end of a workspace. */
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
