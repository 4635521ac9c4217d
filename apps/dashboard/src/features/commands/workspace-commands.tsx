import type { Workspace } from '@berth/api/contract/workspaces';
import { isBuildActive } from '@berth/domain';
import {
  IconAdjustments,
  IconArrowUp,
  IconBox,
  IconCalendarTime,
  IconCopy,
  IconExternalLink,
  IconHistory,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
  IconSettings,
  IconShare,
  IconTerminal2,
} from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { WorkspaceTab } from '../../app/workspace-tabs.ts';
import { trpc } from '../../api/trpc.ts';
import { appUrl } from '../agents/app-url.ts';
import { sshTarget } from '../agents/connect-words.ts';
import { meQuery } from '../session/session.ts';
import { useRestart } from '../workspace/use-restart.ts';
import { agentsOf } from '../workspaces/situation.ts';
import { STATUS_LOOKS, stateOf } from '../workspaces/status.ts';
import { useBuildAction } from '../workspaces/use-build-action.ts';
import type { Command } from './command.ts';
import { copyText } from './copy-text.ts';

const SIZE = 18;

const TABS: readonly { readonly tab: WorkspaceTab; readonly title: string; readonly icon: React.ReactNode }[] = [
  { tab: 'builds', title: 'Builds', icon: <IconHistory size={SIZE} /> },
  { tab: 'parameters', title: 'Parameters', icon: <IconAdjustments size={SIZE} /> },
  { tab: 'sharing', title: 'Sharing', icon: <IconShare size={SIZE} /> },
  { tab: 'schedule', title: 'Schedule', icon: <IconCalendarTime size={SIZE} /> },
  { tab: 'settings', title: 'Settings', icon: <IconSettings size={SIZE} /> },
];

export interface WorkspaceCommands {
  /** The workspace itself. */
  readonly open: (workspace: Workspace) => Command;
  /** What can be done with it now. */
  readonly actions: (workspace: Workspace) => Command[];
  /** Its other pages. */
  readonly tabs: (workspace: Workspace) => Command[];
}

/** What the palette can do with workspaces. */
export function useWorkspaceCommands(): WorkspaceCommands {
  const navigate = useNavigate();
  const build = useBuildAction();
  const restart = useRestart();
  const { data: me } = useSuspenseQuery(meQuery());
  const appHost = useQuery(trpc.applications.host.queryOptions({}, { staleTime: Number.POSITIVE_INFINITY }));

  const go = (workspace: Workspace, tab?: WorkspaceTab): void =>
    void navigate({
      to: '/@{$owner}/$name',
      params: { owner: workspace.owner_name, name: workspace.name },
      search: tab === undefined || tab === 'overview' ? {} : { tab },
    });
  const command = (workspace: Workspace, kind: string, rest: Omit<Command, 'id'>): Command => ({
    id: `${kind}:${workspace.id}`,
    ...(workspace.owner_id === me.id ? {} : { detail: workspace.owner_name }),
    ...rest,
  });

  const ofBuild = (workspace: Workspace): Command[] => {
    const { name } = workspace;
    const { status } = workspace.latest_build;
    if (isBuildActive(status)) return [];
    if (status === 'running') {
      return [
        command(workspace, 'stop', {
          title: `Stop ${name}`,
          icon: <IconPlayerStop size={SIZE} />,
          run: () => build.mutate({ workspace, transition: 'stop' }),
        }),
        command(workspace, 'restart', {
          title: `Restart ${name}`,
          icon: <IconRefresh size={SIZE} />,
          run: () => restart.mutate(workspace),
        }),
      ];
    }
    if (workspace.dormant_at !== null) return [];
    return [
      command(workspace, 'start', {
        title: `Start ${name}`,
        icon: <IconPlayerPlay size={SIZE} />,
        run: () => build.mutate({ workspace, transition: 'start' }),
      }),
      ...(workspace.outdated
        ? [
            command(workspace, 'update', {
              title: `Update and start ${name}`,
              icon: <IconArrowUp size={SIZE} />,
              run: () => build.mutate({ workspace, transition: 'start', update: true }),
            }),
          ]
        : []),
    ];
  };

  const ofAgents = (workspace: Workspace): Command[] => {
    const agents = agentsOf(workspace.latest_build).filter(({ status }) => status === 'connected');
    return agents.flatMap((agent) => {
      const of = agents.length > 1 ? `${workspace.name}.${agent.name}` : workspace.name;
      const ssh = `berth ssh ${sshTarget(workspace, agent, me.username)}`;
      const place = { ownerName: workspace.owner_name, workspaceName: workspace.name, agentName: agent.name };
      return [
        ...agent.apps.flatMap((app) => {
          const url = app.hidden ? undefined : appUrl(app, place, appHost.data?.host ?? '');
          if (url === undefined) return [];
          return [
            command(workspace, `app:${app.id}`, {
              title: `Open ${app.display_name === '' ? app.slug : app.display_name} of ${of}`,
              keywords: app.slug,
              icon: <IconExternalLink size={SIZE} />,
              run: () => void window.open(url, '_blank', 'noreferrer'),
            }),
          ];
        }),
        ...(agent.display_apps.includes('ssh_helper')
          ? [
              command(workspace, `ssh:${agent.id}`, {
                title: `Copy the SSH command of ${of}`,
                keywords: ssh,
                icon: <IconCopy size={SIZE} />,
                run: () => copyText(ssh),
              }),
            ]
          : []),
      ];
    });
  };

  return {
    open: (workspace) =>
      command(workspace, 'workspace', {
        title: workspace.name,
        detail: `${workspace.owner_name} · ${STATUS_LOOKS[stateOf(workspace)].label}`,
        keywords: `workspace ${workspace.owner_name}/${workspace.name}`,
        icon: <IconBox size={SIZE} />,
        run: () => go(workspace),
      }),
    actions: (workspace) => {
      const { status } = workspace.latest_build;
      if (status === 'deleted' || status === 'deleting') return [];
      const terminal = command(workspace, 'terminal', {
        title: `Open a terminal in ${workspace.name}`,
        keywords: 'shell',
        icon: <IconTerminal2 size={SIZE} />,
        run: () => go(workspace, 'terminal'),
      });
      return [...(status === 'running' ? [terminal] : []), ...ofBuild(workspace), ...ofAgents(workspace)];
    },
    tabs: (workspace) =>
      TABS.map(({ tab, title, icon }) =>
        command(workspace, `tab:${tab}`, { title: `${title} of ${workspace.name}`, icon, run: () => go(workspace, tab) }),
      ),
  };
}
