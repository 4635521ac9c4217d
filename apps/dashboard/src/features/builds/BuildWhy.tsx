import { Alert, Group, Stack, Text } from '@mantine/core';
import type { WorkspaceBuild } from '@berth/api/contract/builds';
import type { Workspace } from '@berth/api/contract/workspaces';
import type { WhyAction } from '@berth/domain';
import { AnchorLink } from '../../ui/links.tsx';
import { HelpfulAction } from '../workspace/HelpfulAction.tsx';
import { useWhy } from '../workspace/use-why.ts';

interface Props {
  readonly build: WorkspaceBuild;
  /** Of its latest build: then there is something to do about it. */
  readonly workspace: Workspace | undefined;
}

/** Why a build waits or failed, the line that says so, and the one action that helps. */
export function BuildWhy({ build, workspace }: Props): React.JSX.Element | null {
  const why = useWhy(build);
  const { error } = build.job;
  if (build.job.status === 'pending') {
    return why === undefined ? null : <Waiting sentence={why.sentence} action={why.action} workspace={workspace} />;
  }
  if (error === '') return null;
  const here = { owner: build.workspace_owner_name, name: build.workspace_name, number: String(build.build_number) };
  const sentence = why?.sentence ?? '';
  const hasLine = (why?.failed?.first_error ?? null) !== null;
  const isSaid = sentence.includes(error.trim());
  return (
    <Alert color="red" title="Why it failed" role="alert">
      <Stack gap="xs">
        {sentence !== '' && (
          <Text size="sm" className="wrap-anywhere">
            {sentence}
          </Text>
        )}
        {!isSaid && (
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }} className="wrap-anywhere" c={sentence === '' ? undefined : 'dimmed'}>
            {error}
          </Text>
        )}
        <Group gap="md">
          {workspace !== undefined && why?.action !== 'view_logs' && <HelpfulAction workspace={workspace} action={why?.action} />}
          {hasLine && (
            <AnchorLink size="sm" to="/@{$owner}/$name/builds/$number" params={here} hash="error">
              Go to the line that failed
            </AnchorLink>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

interface WaitingProps {
  readonly sentence: string;
  readonly action: WhyAction;
  readonly workspace: Workspace | undefined;
}

function Waiting({ sentence, action, workspace }: WaitingProps): React.JSX.Element {
  return (
    <Alert color="blue" title="Why it waits">
      <Stack gap="xs">
        <Text size="sm" className="wrap-anywhere">
          {sentence}
        </Text>
        {workspace !== undefined && (
          <Group>
            <HelpfulAction workspace={workspace} action={action} />
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
