import { uniqueName } from '@berth/testing';
import { nothing, noInput, ofWorkspace, anotherWorkspace, ofPort, ofBuild, ofAgent, ofHolder } from './of.ts';
import type { InputOf } from './of.ts';

export const workspacesInputs: Readonly<Record<string, InputOf>> = {
  'agentApi.manifest': noInput,
  'agentApi.externalAuth': () => ({ id: 'browser' }),
  'agentApi.gitSshKey': noInput,
  'agentApi.createLogSource': () => ({ id: nothing(), display_name: 'builder', icon: '' }),
  'agentApi.appendLogs': () => ({ log_source_id: nothing(), logs: [{ output: 'x' }] }),
  'agentApi.reportStartup': () => ({ version: 'v0.1.0', expanded_directory: '', subsystems: [] }),
  'agentApi.reportLifecycle': () => ({ state: 'ready', changed_at: new Date().toISOString() }),
  'agentApi.reportLogs': () => ({ log_source_id: nothing(), logs: [{ created_at: new Date().toISOString(), level: 'info', output: 'x' }] }),
  'agentApi.reportMetadata': () => ({ metadata: [] }),
  'agentApi.reportAppHealth': () => ({ updates: [] }),
  'agentApi.reportScript': () => ({
    script_id: nothing(),
    started_at: new Date().toISOString(),
    ended_at: new Date().toISOString(),
    exit_code: 0,
    stage: 'start',
    status: 'ok',
  }),
  'agentApi.reportStats': () => ({
    connection_count: 0,
    rx_bytes: 0,
    tx_bytes: 0,
    session_count_vscode: 0,
    session_count_jetbrains: 0,
    session_count_reconnecting_pty: 0,
    session_count_ssh: 0,
  }),
  'agents.get': ofAgent,
  'agents.logs': ofAgent,
  'agents.listeningPorts': ofAgent,
  'agents.followLogs': ofAgent,
  'agents.watchMetadata': ofAgent,
  'applications.host': noInput,
  'applications.signIn': () => ({ redirect_uri: 'http://web--main--dev--ada.apps.berth.test/' }),
  'builds.list': ofWorkspace,
  'builds.create': ({ workspace }) => ({ workspace: workspace.id, transition: 'stop', dry_run: true }),
  'builds.get': ofBuild,
  'builds.getByUserWorkspaceAndNumber': ({ holder, workspace }) => ({
    user: holder.username,
    workspacename: workspace.name,
    buildnumber: '1',
  }),
  'builds.cancel': ofBuild,
  'builds.logs': ofBuild,
  'builds.followLogs': ofBuild,
  'builds.parameters': ofBuild,
  'builds.state': ofBuild,
  'builds.listStates': ofWorkspace,
  // It has no state, which those learn who may restore one.
  'builds.restoreState': ({ build }) => ({ workspacebuild: build.id, transition: 'stop' }),
  'workspaces.get': ofWorkspace,
  'workspaces.getByOwnerAndName': ({ holder, workspace }) => ({ user: holder.username, workspacename: workspace.name }),
  'workspaces.list': noInput,
  'workspaces.watch': ofWorkspace,
  'workspaces.watchList': noInput,
  'builds.timings': ofBuild,
  'builds.why': ofBuild,
  'workspaces.timings': ofWorkspace,
  'workspaces.favorite': ofWorkspace,
  'workspaces.unfavorite': ofWorkspace,
  'workspaces.update': ({ workspace }) => ({ workspace: workspace.id, name: uniqueName('ws') }),
  'workspaces.updateAutostart': ({ workspace }) => ({ workspace: workspace.id, schedule: '0 9 * * 1-5' }),
  'workspaces.updateTtl': ({ workspace }) => ({ workspace: workspace.id, ttl_ms: 3_600_000 }),
  'workspaces.updateAutomaticUpdates': ({ workspace }) => ({ workspace: workspace.id, automatic_updates: 'always' }),
  'workspaces.updateDormancy': async (fixture) => ({ workspace: await anotherWorkspace(fixture), dormant: true }),
  'workspaces.extend': async (fixture) => ({
    workspace: await anotherWorkspace(fixture),
    deadline: new Date(Date.now() + 7_200_000).toISOString(),
  }),
  'workspaces.usage': ofWorkspace,
  'workspaces.resolveAutostart': ofWorkspace,
  'workspaces.schedule': ofWorkspace,
  'workspaces.bulk': ({ workspace }) => ({ workspace_ids: [workspace.id], action: 'stop', dry_run: true }),
  'portShares.list': ofWorkspace,
  'portShares.upsert': ofPort,
  'portShares.delete': async ({ workspace, rows }) => {
    const { agentName, port } = await rows.portShare({ workspaceId: workspace.id });
    return { workspace: workspace.id, agent_name: agentName, port };
  },
  'workspaceShares.list': ofWorkspace,
  'workspaceShares.create': async ({ workspace, organization, rows }) => {
    const user = await rows.user({ memberOf: [organization.id] });
    return { workspace: workspace.id, access: 'terminal', user: user.id, duration_seconds: 60 };
  },
  'workspaceShares.delete': async ({ workspace, group, rows }) => {
    const share = await rows.share({ workspaceId: workspace.id, groupId: group.id });
    return { workspace: workspace.id, share: share.id };
  },
  'workspaceShares.received': ofHolder,
  'workspaces.create': ({ holder, template }) => ({ user: holder.id, name: uniqueName('ws'), template_id: template.id }),
  'workspaces.createInOrganization': ({ organization, holder, template }) => ({
    organization: organization.id,
    user: holder.id,
    name: uniqueName('ws'),
    template_id: template.id,
  }),
};
