import { Button } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import type { WhyAction } from '@berth/domain';
import { ButtonLink } from '../../ui/links.tsx';
import { useBuildAction } from '../workspaces/use-build-action.ts';

interface Props {
  readonly workspace: Workspace;
  /** What the server thinks helps most; undefined while it has not said. */
  readonly action: WhyAction | undefined;
}

/** The one thing to do that helps most with a build that waits or has failed. */
export function HelpfulAction({ workspace, action }: Props): React.JSX.Element | null {
  const build = workspace.latest_build;
  const start = useBuildAction();
  const here = { to: '/@{$owner}/$name', params: { owner: workspace.owner_name, name: workspace.name } } as const;
  if (build.status !== 'pending' && build.status !== 'failed' && build.status !== 'canceled') return null;
  switch (action) {
    case 'add_provisioner':
    case 'start_provisioner':
      return (
        <ButtonLink
          size="xs"
          to="/people/organizations/$organization"
          params={{ organization: workspace.organization_name }}
          search={{ tab: 'provisioners' }}
        >
          Look at the provisioners
        </ButtonLink>
      );
    case 'update':
      return (
        <Button size="xs" loading={start.isPending} onClick={() => start.mutate({ workspace, transition: 'start', update: true })}>
          Update and start
        </Button>
      );
    case 'fix_parameters':
      return (
        <ButtonLink size="xs" {...here} search={{ tab: 'parameters' }}>
          Change its parameters
        </ButtonLink>
      );
    case 'set_variables':
      return (
        <ButtonLink
          size="xs"
          to="/templates/$organization/$name"
          params={{ organization: workspace.organization_name, name: workspace.template_name }}
          search={{ tab: 'versions' }}
        >
          Look at the template
        </ButtonLink>
      );
    case 'raise_quota':
      return (
        <ButtonLink size="xs" to="/account/quota">
          See the quota
        </ButtonLink>
      );
    case 'view_logs':
      return (
        <ButtonLink
          size="xs"
          to="/@{$owner}/$name/builds/$number"
          params={{ ...here.params, number: String(build.build_number) }}
          hash="error"
        >
          Read the log
        </ButtonLink>
      );
    case 'none':
    case 'wait':
    case 'retry':
    case undefined:
      if (build.status === 'pending') return null;
      return (
        <Button size="xs" loading={start.isPending} onClick={() => start.mutate({ workspace, transition: build.transition })}>
          Try {build.transition} again
        </Button>
      );
  }
}
