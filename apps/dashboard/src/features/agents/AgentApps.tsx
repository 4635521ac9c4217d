import { Button, Group, Indicator, Tooltip } from '@mantine/core';
import type { WorkspaceAgent, WorkspaceApp } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import type { AppHealth } from '@berth/domain';
import { TemplateIcon } from '../templates/TemplateIcon.tsx';
import { appUrl } from './app-url.ts';

const HEALTH: Readonly<Record<AppHealth, { color: string; text: string }>> = {
  disabled: { color: 'gray', text: '' },
  initializing: { color: 'blue', text: 'not checked yet' },
  healthy: { color: 'green', text: 'healthy' },
  unhealthy: { color: 'red', text: 'does not answer its health check' },
};

/** The apps of an agent as buttons; each opens in a tab of its own. */
export function AgentApps({ agent, workspace }: { agent: WorkspaceAgent; workspace: Workspace }): React.JSX.Element | null {
  const apps = agent.apps.filter(({ hidden }) => !hidden);
  if (apps.length === 0) return null;
  const place = { ownerName: workspace.owner_name, workspaceName: workspace.name, agentName: agent.name };
  return (
    <Group gap="sm" role="group" aria-label={`Apps of ${agent.name}`}>
      {apps.map((app) => (
        <AppButton key={app.id} app={app} url={appUrl(app, place)} isReachable={app.external || agent.status === 'connected'} />
      ))}
    </Group>
  );
}

interface AppButtonProps {
  readonly app: WorkspaceApp;
  readonly url: string | undefined;
  readonly isReachable: boolean;
}

function AppButton({ app, url, isReachable }: AppButtonProps): React.JSX.Element {
  const title = app.display_name === '' ? app.slug : app.display_name;
  const { color, text } = HEALTH[app.health];
  const icon = <TemplateIcon icon={app.icon} name={title} size={20} />;
  if (url === undefined || !isReachable) {
    const reason = isReachable ? 'This app cannot be opened from here' : 'The agent is not connected';
    return (
      <Tooltip label={reason}>
        <Button variant="default" size="sm" leftSection={icon} data-disabled aria-disabled onClick={(event) => event.preventDefault()}>
          {title}
        </Button>
      </Tooltip>
    );
  }
  return (
    <Tooltip label={text === '' ? 'Opens in a new tab' : `Opens in a new tab · ${text}`}>
      <Indicator color={color} disabled={app.health === 'disabled'} size={10} offset={4} processing={app.health === 'initializing'}>
        <Button
          variant="default"
          size="sm"
          leftSection={icon}
          component="a"
          href={url}
          target="_blank"
          rel="noreferrer"
          aria-label={text === '' ? title : `${title}, ${text}`}
        >
          {title}
        </Button>
      </Indicator>
    </Tooltip>
  );
}
