import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { WorkspaceShare } from '@berth/api/contract/workspace-shares';

/** The longest that a share lasts. */
export const SHARE_MS_MAX = 30 * 86_400_000;

/** How long people share for, most of the time; everything else is `custom`. */
export const SHARE_SPANS = [
  { value: '3600', label: '1 hour' },
  { value: '14400', label: '4 hours' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '1 week' },
  { value: 'custom', label: 'Another time' },
] as const;

/** What a share opens, in words. Names of apps are as the template has them. */
export function sharedThing({
  access,
  agent_name: agent,
  app_slug: app,
}: Pick<WorkspaceShare, 'access' | 'agent_name' | 'app_slug'>): string {
  const where = agent === '' ? '' : ` of ${agent}`;
  switch (access) {
    case 'apps':
      return app === '' ? `All apps${where}` : `The app ${app}${where}`;
    case 'terminal':
      return `Terminals${where}`;
    case 'terminal_view':
      return `Watching one terminal${where}`;
  }
}

/** One thing that can be shared, as a choice. */
export interface Thing {
  readonly value: string;
  readonly label: string;
  readonly input: {
    readonly access: WorkspaceShare['access'];
    readonly agent_name: string;
    readonly app_slug: string;
    readonly terminal_id?: string;
  };
}

/** A terminal that somebody may look on at. */
export interface WatchedTerminal {
  readonly agentName: string;
  readonly id: string;
}

interface Shareable {
  readonly agents: readonly Pick<WorkspaceAgent, 'name' | 'apps'>[];
  /** Without a domain, only the owner opens apps. */
  readonly hasAppHost: boolean;
  /** The terminal that the question came from. */
  readonly terminal: WatchedTerminal | undefined;
}

/** What can be shared of a workspace, the narrowest first. */
export function shareableThings({ agents, hasAppHost, terminal }: Shareable): Thing[] {
  const things: Thing[] = [];
  if (terminal !== undefined) {
    const input = { access: 'terminal_view', agent_name: terminal.agentName, app_slug: '', terminal_id: terminal.id } as const;
    things.push({ value: 'view', label: 'Watch this terminal', input });
  }
  if (hasAppHost) {
    for (const { name, apps } of agents) {
      for (const { slug, display_name: title } of apps.filter(({ subdomain, external, hidden }) => subdomain && !external && !hidden)) {
        const label = `The app ${title === '' ? slug : title}${agents.length > 1 ? ` of ${name}` : ''}`;
        things.push({ value: `app:${name}/${slug}`, label, input: { access: 'apps', agent_name: name, app_slug: slug } });
      }
    }
    things.push({ value: 'apps', label: 'All apps', input: { access: 'apps', agent_name: '', app_slug: '' } });
  }
  things.push({ value: 'terminal', label: 'Terminals, to work in', input: { access: 'terminal', agent_name: '', app_slug: '' } });
  return things;
}
