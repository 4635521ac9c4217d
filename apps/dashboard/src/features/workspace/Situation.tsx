import { Box, Button, Group, Text } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { When } from '../../ui/When.tsx';
import { situation } from '../workspaces/situation.ts';
import { StatusBadge } from '../workspaces/StatusBadge.tsx';
import { HelpfulAction } from './HelpfulAction.tsx';
import { useWhy } from './use-why.ts';

/** The status, one sentence about it, and the one action that helps. */
export function Situation({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const build = workspace.latest_build;
  const why = useWhy(build);
  const hasLine = build.status === 'failed' && (why?.failed?.first_error ?? null) !== null;
  return (
    <Group className="surface" px="md" py="sm" gap="sm" justify="space-between">
      <Group gap="sm" wrap="nowrap" align="center" style={{ flex: '1 1 280px' }}>
        <StatusBadge workspace={workspace} size="lg" />
        <Box miw={0} role="status">
          <Text size="sm" className="wrap-anywhere">
            {why === undefined || why.sentence === '' ? situation(workspace) : why.sentence}
          </Text>
          {hasLine && why?.action !== 'view_logs' && (
            <AnchorLink
              size="xs"
              underline="always"
              to="/@{$owner}/$name/builds/$number"
              params={{ owner: workspace.owner_name, name: workspace.name, number: String(build.build_number) }}
              hash="error"
            >
              Go to the line that failed
            </AnchorLink>
          )}
          {build.deadline !== null && build.status === 'running' && (
            <Text size="xs" c="dimmed">
              Stops by itself <When at={build.deadline} /> ·{' '}
              <AnchorLink
                inherit
                underline="always"
                to="/@{$owner}/$name"
                params={{ owner: workspace.owner_name, name: workspace.name }}
                search={{ tab: 'schedule' }}
              >
                why, and how to change it
              </AnchorLink>
            </Text>
          )}
        </Box>
      </Group>
      <Group gap="xs">
        <CancelBuild workspace={workspace} />
        <HelpfulAction workspace={workspace} action={why?.action} />
      </Group>
    </Group>
  );
}

function CancelBuild({ workspace }: { workspace: Workspace }): React.JSX.Element | null {
  const build = workspace.latest_build;
  const cancel = useMutation(
    trpc.builds.cancel.mutationOptions({
      onSuccess: ({ message }) => notifyDone(message),
      onError: (error) => notifyFailure('The build goes on', error),
    }),
  );
  if (build.job.status !== 'pending' && build.job.status !== 'running') return null;
  return (
    <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ workspacebuild: build.id })}>
      Cancel build
    </Button>
  );
}
