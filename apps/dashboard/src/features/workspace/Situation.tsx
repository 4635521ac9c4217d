import { Box, Button, Group, Text } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { When } from '../../ui/When.tsx';
import { situation } from '../workspaces/situation.ts';
import { StatusBadge } from '../workspaces/StatusBadge.tsx';
import { useBuildAction } from '../workspaces/use-build-action.ts';

/** The status, one sentence about it, and the one action that helps. */
export function Situation({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const build = workspace.latest_build;
  return (
    <Group className="surface" px="md" py="sm" gap="sm" justify="space-between">
      <Group gap="sm" wrap="nowrap" align="center" style={{ flex: '1 1 280px' }}>
        <StatusBadge status={build.status} size="lg" />
        <Box miw={0} role="status">
          <Text size="sm" className="wrap-anywhere">
            {situation(workspace)}
          </Text>
          {build.deadline !== null && build.status === 'running' && (
            <Text size="xs" c="dimmed">
              Stops by itself <When at={build.deadline} />
            </Text>
          )}
        </Box>
      </Group>
      <HelpfulAction workspace={workspace} />
    </Group>
  );
}

function HelpfulAction({ workspace }: { workspace: Workspace }): React.JSX.Element | null {
  const build = workspace.latest_build;
  const action = useBuildAction();
  const cancel = useMutation(
    trpc.builds.cancel.mutationOptions({
      onSuccess: ({ message }) => notifyDone(message),
      onError: (error) => notifyFailure('The build goes on', error),
    }),
  );
  switch (build.status) {
    case 'pending':
    case 'starting':
    case 'stopping':
    case 'deleting':
      return (
        <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ workspacebuild: build.id })}>
          Cancel build
        </Button>
      );
    case 'failed':
    case 'canceled':
      return (
        <Button size="xs" loading={action.isPending} onClick={() => action.mutate({ workspace, transition: build.transition })}>
          Try {build.transition} again
        </Button>
      );
    case 'running':
    case 'stopped':
    case 'canceling':
    case 'deleted':
      return null;
  }
}
