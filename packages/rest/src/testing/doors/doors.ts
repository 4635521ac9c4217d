import { newId } from '@berth/core';
import type { DoorFixture } from './fixture.ts';
import type { DoorOutcome, Headers } from './knock.ts';
import { knockEvents, knockListening, knockPage, knockSocket, knockUpgrade } from './knock.ts';

/** A way in that is no plain operation: a WebSocket, a stream of events, or an app. */
export interface Door {
  /** The route that serves it, as it is registered; null for what is told by the host. */
  readonly route: string | null;
  readonly isSocket: boolean;
  readonly open: (fixture: DoorFixture, headers: Headers) => Promise<DoorOutcome>;
}

const API = '/api/v2';

type PathOf = (fixture: DoorFixture) => string;

function socket(route: string, path: PathOf): Door {
  return { route, isSocket: true, open: (fixture, headers) => knockSocket(`${fixture.url}${path(fixture)}`, headers) };
}

function log(route: string, path: PathOf): Door {
  return { route, isSocket: true, open: (fixture, headers) => knockListening(`${fixture.url}${path(fixture)}?follow`, headers) };
}

function events(route: string, path: PathOf): Door {
  return { route, isSocket: false, open: (fixture, headers) => knockEvents(`${fixture.url}${path(fixture)}`, headers) };
}

function subscription(path: string, input: (fixture: DoorFixture) => object): Door {
  const call = (fixture: DoorFixture) => ({ id: 1, method: 'subscription', params: { path, input: input(fixture) } });
  return {
    route: '/api/rpc',
    isSocket: true,
    open: (fixture, headers) => knockListening(`${fixture.url}/api/rpc`, headers, call(fixture)),
  };
}

function rpcEvents(path: string, input: (fixture: DoorFixture) => object): Door {
  return {
    route: '/api/rpc/:path',
    isSocket: false,
    open: (fixture, headers) =>
      knockEvents(`${fixture.url}/api/rpc/${path}?input=${encodeURIComponent(JSON.stringify(input(fixture)))}`, headers),
  };
}

export const pathOfApp =
  (slug: string): PathOf =>
  ({ holder, workspace }) =>
    `/@${holder.username}/${workspace.name}/apps/${slug}/`;
export const hostOf =
  (slugOrPort: (fixture: DoorFixture) => string) =>
  (fixture: DoorFixture): string =>
    `${slugOrPort(fixture)}--${fixture.agent.name}--${fixture.workspace.name}--${fixture.holder.username}.apps.berth.test`;

function app(knock: typeof knockPage, slug: string): Door {
  return {
    route: APP_ROUTE,
    isSocket: knock === knockUpgrade,
    open: (fixture, headers) => knock({ url: fixture.url, path: pathOfApp(slug)(fixture), headers }),
  };
}

function hosted(knock: typeof knockPage, slugOrPort: (fixture: DoorFixture) => string): Door {
  return {
    route: null,
    isSocket: knock === knockUpgrade,
    open: (fixture, headers) => knock({ url: fixture.url, host: hostOf(slugOrPort)(fixture), path: '/', headers }),
  };
}

const APP_ROUTE = '/@*';
const agentRoute = (name: string): string => `${API}/workspaceagents/:workspaceagent/${name}`;
const agentPath =
  (name: string): PathOf =>
  ({ agent }) =>
    `${API}/workspaceagents/${agent.id}/${name}`;
const ofWorkspace = ({ workspace }: DoorFixture) => ({ workspace: workspace.id });
const ofAgent = ({ agent }: DoorFixture) => ({ workspaceagent: agent.id });

export const DOORS: Readonly<Record<string, Door>> = {
  terminal: socket(agentRoute('pty'), ({ agent }) => `${API}/workspaceagents/${agent.id}/pty?reconnect=${newId()}`),
  'the shared terminal, to type': socket(agentRoute('pty'), (fixture) => agentPath(`pty?reconnect=${fixture.terminalId}`)(fixture)),
  'the shared terminal, to look on': socket(agentRoute('pty'), (fixture) =>
    agentPath(`pty?reconnect=${fixture.terminalId}&view=true`)(fixture),
  ),
  'another terminal, to look on': socket(agentRoute('pty'), (fixture) => agentPath(`pty?reconnect=${newId()}&view=true`)(fixture)),
  ssh: socket(agentRoute('ssh'), agentPath('ssh')),
  'ssh that outlives its carrier': socket(agentRoute('ssh'), (fixture) => agentPath(`ssh?stream=${newId()}`)(fixture)),
  'tcp port': socket(agentRoute('tcp'), (fixture) => agentPath(`tcp?port=${fixture.ports.mine}`)(fixture)),
  'tcp port that is shared by URL': socket(agentRoute('tcp'), (fixture) => agentPath(`tcp?port=${fixture.ports.open}`)(fixture)),
  'agent tunnel': socket(`${API}/workspaceagents/me/tunnel`, () => `${API}/workspaceagents/me/tunnel`),
  'agent rpc': socket(`${API}/workspaceagents/me/rpc`, () => `${API}/workspaceagents/me/rpc`),
  'websocket echo': socket(`${API}/debug/ws`, () => `${API}/debug/ws`),
  'relay between servers': socket('/api/internal/agents/:agent/tunnel', ({ agent }) => `/api/internal/agents/${agent.id}/tunnel`),
  'provisioner daemon': socket(
    `${API}/organizations/:organization/provisionerdaemons/serve`,
    ({ organization }) => `${API}/organizations/${organization.id}/provisionerdaemons/serve?provisioner=process`,
  ),
  'build log': log(`${API}/workspacebuilds/:workspacebuild/logs`, ({ build }) => `${API}/workspacebuilds/${build.id}/logs`),
  'template version log': log(
    `${API}/templateversions/:templateversion/logs`,
    ({ version }) => `${API}/templateversions/${version.id}/logs`,
  ),
  'dry run log': log(
    `${API}/templateversions/:templateversion/dry-run/:jobID/logs`,
    ({ version, dryRun }) => `${API}/templateversions/${version.id}/dry-run/${dryRun.id}/logs`,
  ),
  'agent log': log(agentRoute('logs'), agentPath('logs')),
  'build log as events': events(
    `${API}/workspacebuilds/:workspacebuild/logs`,
    ({ build }) => `${API}/workspacebuilds/${build.id}/logs?follow`,
  ),
  'watched workspace': events(`${API}/workspaces/:workspace/watch`, ({ workspace }) => `${API}/workspaces/${workspace.id}/watch`),
  'watched metadata': events(agentRoute('watch-metadata'), agentPath('watch-metadata')),
  'rpc socket': socket('/api/rpc', () => '/api/rpc'),
  'subscription to a workspace': subscription('workspaces.watch', ofWorkspace),
  'subscription to metadata': subscription('agents.watchMetadata', ofAgent),
  'subscription to a build log': subscription('builds.followLogs', ({ build }) => ({ workspacebuild: build.id })),
  'subscription to an agent log': subscription('agents.followLogs', ofAgent),
  'subscription as events': rpcEvents('workspaces.watch', ofWorkspace),
  'export of the audit log': {
    route: `${API}/audit/export`,
    isSocket: false,
    open: ({ url }, headers) => knockPage({ url, path: `${API}/audit/export?q=action:logout`, headers }),
  },
  'path app': app(knockPage, 'path'),
  'path app socket': app(knockUpgrade, 'path'),
  'path app that is public': app(knockPage, 'open-path'),
  'path of an app with a host': app(knockPage, 'open'),
  'app host': hosted(knockPage, () => 'mine'),
  'app host socket': hosted(knockUpgrade, () => 'mine'),
  'app host of a path app': hosted(knockPage, () => 'path'),
  'app host for the signed in': hosted(knockPage, () => 'known'),
  'app host socket for the signed in': hosted(knockUpgrade, () => 'known'),
  'public app host': hosted(knockPage, () => 'open'),
  'public app host socket': hosted(knockUpgrade, () => 'open'),
  'port host': hosted(knockPage, ({ ports }) => String(ports.mine)),
  'port host socket': hosted(knockUpgrade, ({ ports }) => String(ports.mine)),
  'port host for the signed in': hosted(knockPage, ({ ports }) => String(ports.known)),
  'public port host': hosted(knockPage, ({ ports }) => String(ports.open)),
  'public port host socket': hosted(knockUpgrade, ({ ports }) => String(ports.open)),
  'app host without a workspace': hosted(knockPage, () => 'x--mine'),
};
