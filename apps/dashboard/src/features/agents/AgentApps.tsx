import { Button, Group, Indicator, Tooltip } from '@mantine/core';
import type { WorkspaceAgent, WorkspaceApp } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconUsers, IconWorld } from '@tabler/icons-react';
import { TemplateIcon } from '../templates/TemplateIcon.tsx';
import { APP_HEALTH_LOOK } from './app-health.ts';
import { appUrl } from './app-url.ts';
import { CommandApp } from './CommandApp.tsx';
import { SHARING_WORDS } from './sharing-words.ts';
import { APP_HOST_SETTING, useAppHost } from './use-app-host.ts';

/** The apps of an agent as buttons; each opens in a tab of its own, a command in a terminal. */
export function AgentApps({ agent, workspace }: { agent: WorkspaceAgent; workspace: Workspace }): React.JSX.Element | null {
  const host = useAppHost();
  const apps = agent.apps.filter(({ hidden }) => !hidden);
  if (apps.length === 0) return null;
  const place = { ownerName: workspace.owner_name, workspaceName: workspace.name, agentName: agent.name };
  return (
    <Group gap="sm" role="group" aria-label={`Apps of ${agent.name}`}>
      {apps.map((app) => {
        const title = app.display_name === '' ? app.slug : app.display_name;
        const icon = <TemplateIcon icon={app.icon} name={title} size={20} />;
        const isReachable = app.external || agent.status === 'connected';
        if (isReachable && app.url === '' && app.command !== '') {
          return <CommandApp key={app.id} app={app} agent={agent} workspace={workspace} icon={icon} title={title} />;
        }
        const url = isReachable ? appUrl(app, place, host ?? '') : undefined;
        if (url !== undefined) return <AppButton key={app.id} app={app} url={url} title={title} icon={icon} />;
        return <ClosedApp key={app.id} title={title} icon={icon} reason={obstacle({ app, isReachable, host })} />;
      })}
    </Group>
  );
}

/** Why an app cannot be opened now; empty while that is not known. */
function obstacle({ app, isReachable, host }: { app: WorkspaceApp; isReachable: boolean; host: string | undefined }): string {
  if (!isReachable) return 'The agent is not connected';
  if (!app.subdomain || app.url === '') return 'This app cannot be opened from here';
  if (host === undefined) return '';
  if (host === '') return `This app needs a host of its own. Whoever runs this server sets ${APP_HOST_SETTING} for that.`;
  return 'The names of the app, the agent, the workspace and its owner are together too long for a host';
}

interface ClosedAppProps {
  readonly title: string;
  readonly icon: React.ReactNode;
  readonly reason: string;
}

function ClosedApp({ title, icon, reason }: ClosedAppProps): React.JSX.Element {
  return (
    <Tooltip label={reason} disabled={reason === ''} multiline maw={320}>
      <Button variant="default" size="sm" leftSection={icon} data-disabled aria-disabled onClick={(event) => event.preventDefault()}>
        {title}
      </Button>
    </Tooltip>
  );
}

interface AppButtonProps {
  readonly app: WorkspaceApp;
  readonly url: string;
  readonly title: string;
  readonly icon: React.ReactNode;
}

function AppButton({ app, url, title, icon }: AppButtonProps): React.JSX.Element {
  const { color, text } = APP_HEALTH_LOOK[app.health];
  const shared = app.external || app.sharing_level === 'owner' ? '' : `open to: ${SHARING_WORDS[app.sharing_level].toLowerCase()}`;
  const facts = [text, shared].filter((fact) => fact !== '');
  const Shared = app.sharing_level === 'public' ? IconWorld : IconUsers;
  return (
    <Tooltip label={['Opens in a new tab', ...facts].join(' · ')} multiline maw={320}>
      <Indicator color={color} disabled={app.health === 'disabled'} size={10} offset={4} processing={app.health === 'initializing'}>
        <Button
          variant="default"
          size="sm"
          leftSection={icon}
          rightSection={shared === '' ? undefined : <Shared size={14} aria-hidden />}
          component="a"
          href={url}
          target="_blank"
          rel="noreferrer"
          aria-label={[title, ...facts].join(', ')}
        >
          {title}
        </Button>
      </Indicator>
    </Tooltip>
  );
}
