import type { WorkspaceAgent, WorkspaceApp } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import { portPart, subdomainName } from '@berth/domain';

import type { Cli } from '../frame/cli.ts';
import { choice, count, defineCommand, flag, optional, required } from '../frame/declare.ts';
import { conflictError, notFoundError, usageError } from '../frame/errors.ts';
import { openInBrowser } from '../frame/open-in-browser.ts';
import { AGENT_FORM, agentsOf, chooseAgent, findWorkspace, parseWorkspaceRef } from '../frame/workspace-ref.ts';
import { hostOf } from '../ssh-config/host.ts';

const EDITORS = ['vscode', 'vscode-insiders', 'cursor', 'jetbrains'] as const;
/** Schemes that show or run content themselves; a template must not choose that for us. */
const UNSAFE = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:']);

export const open = defineCommand({
  name: 'open',
  summary: 'Open a workspace, one of its apps, or your editor',
  description:
    'Prints the address of a workspace’s page, of one of its apps or ports, or a link that opens your editor, and opens it in your browser. Editors connect through the hosts of berth config-ssh.',
  args: { workspace: required(AGENT_FORM, { complete: 'workspace' }), app: optional('The app, by its slug') },
  options: {
    editor: choice('--editor <editor>', 'An editor on this machine instead of an app', EDITORS),
    port: count('--port <port>', 'A port of the workspace instead of an app', { min: 1, max: 65_535 }),
    print: flag('--print', 'Only print the address'),
  },
  examples: [
    'berth open harbour',
    'berth open harbour code-server',
    'berth open harbour --port 8080 --print',
    'berth open harbour --editor vscode',
  ],
  prints: true,
  async run(cli, { args, options }) {
    if ([args.app, options.editor, options.port].filter((one) => one !== undefined).length > 1) {
      throw usageError('Give only one of: an app, --editor, --port.');
    }
    const workspace = await findWorkspace(cli.session(), args.workspace);
    const { owner, agent: agentName } = parseWorkspaceRef(args.workspace);
    const place = (): Place => ({ workspace, agent: chooseAgent(workspace, agentName) });
    const url = await addressOf(cli, { ...options, app: args.app, workspace, place, isOwn: owner === 'me' });
    const isOpened = !options.print && cli.ask.isPossible && (await openInBrowser(cli.io, url));
    await cli.out.done(url, { url });
    if (isOpened) cli.out.note('Opening it in your browser.');
  },
});

interface Place {
  readonly workspace: Workspace;
  readonly agent: WorkspaceAgent;
}

interface Wanted {
  readonly app: string | undefined;
  readonly editor: (typeof EDITORS)[number] | undefined;
  readonly port: number | undefined;
  readonly workspace: Workspace;
  readonly isOwn: boolean;
  place(): Place;
}

async function addressOf(cli: Cli, { app, editor, port, workspace, isOwn, place }: Wanted): Promise<string> {
  if (editor !== undefined) return editorLink(editor, place(), isOwn);
  if (port !== undefined) return portAddress(cli, place(), port);
  if (app !== undefined) return appAddress(cli, place(), app);
  return `${cli.session().url}/@${encodeURIComponent(workspace.owner_name)}/${encodeURIComponent(workspace.name)}`;
}

function editorLink(editor: (typeof EDITORS)[number], { workspace, agent }: Place, isOwn: boolean): string {
  const agentName = agentsOf(workspace).length > 1 ? agent.name : null;
  const host = hostOf({ owner: isOwn ? null : workspace.owner_name, name: workspace.name, agent: agentName });
  const folder = agent.expanded_directory;
  if (editor === 'jetbrains') {
    const query = new URLSearchParams({ type: 'ssh', deploy: 'false', host, port: '22', projectPath: folder });
    return `jetbrains-gateway://connect#${query.toString()}`;
  }
  // A path from an agent is data: nothing of it may end the path.
  const path = folder.startsWith('/') ? folder.split('/').map(encodeURIComponent).join('/') : '/';
  return `${editor}://vscode-remote/ssh-remote+${encodeURIComponent(host)}${path}`;
}

async function portAddress(cli: Cli, { workspace, agent }: Place, port: number): Promise<string> {
  const name = subdomainName(portPart({ port, protocol: 'http' }), {
    agent: agent.name,
    workspace: workspace.name,
    owner: workspace.owner_name,
  });
  const address = await hostAddress(cli, name);
  if (address !== null) return address;
  throw conflictError('This server has no wildcard domain for ports.', {
    next: `Reach it with: berth port-forward ${workspace.name} --tcp ${port}`,
  });
}

async function appAddress(cli: Cli, { workspace, agent }: Place, slug: string): Promise<string> {
  const app = agent.apps.find((one) => one.slug === slug);
  if (app === undefined) {
    const known = agent.apps.map((one) => one.slug).join(', ');
    throw notFoundError(`The workspace ${workspace.name} has no app "${slug}".`, {
      next: known === '' ? 'It has no apps.' : `Apps: ${known}`,
    });
  }
  if (app.external) return externalAddress(app);
  const { url } = cli.session();
  const page = `${url}/@${encodeURIComponent(workspace.owner_name)}/${encodeURIComponent(workspace.name)}`;
  if (app.url === '') return `${page}?tab=terminal`;
  if (!app.subdomain) return `${page}.${encodeURIComponent(agent.name)}/apps/${encodeURIComponent(app.slug)}/`;
  const address = await hostAddress(cli, app.subdomain_name);
  if (address === null) throw conflictError(`The app ${slug} needs a wildcard domain, which this server does not have.`);
  return address;
}

function externalAddress({ slug, url }: WorkspaceApp): string {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || UNSAFE.has(address.protocol)) {
    throw conflictError(`The app ${slug} has an address that is not safe to open.`);
  }
  return address.href;
}

/** Null without a domain for apps, and for a name that does not fit. */
async function hostAddress(cli: Cli, name: string): Promise<string | null> {
  const { url, client } = cli.session();
  const { host } = await client.applications.host.query({});
  return name === '' || host === '' ? null : `${new URL(url).protocol}//${host.replace('*', name)}/`;
}
