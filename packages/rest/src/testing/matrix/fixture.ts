import { ExternalAuthSettings } from '@berth/api/server';
import { newId } from '@berth/core';
import type { Given } from '@berth/testing';
import { given, uniqueName } from '@berth/testing';
import type { TestServer } from '../index.ts';

/** One organization with one of everything, beside an organization that must not see any of it. */
export async function createFixture(server: TestServer) {
  const rows: Given = given(server.prisma);
  const organization = await rows.organization();
  // Builds are refused while nobody could run them.
  await server.callAs({ kind: 'provisioner', organizationId: organization.id, keyId: null, tags: {} }).provisionerApi.registerDaemon({
    name: 'waiting',
    session_id: newId(),
    version: 'v0',
    provisioners: ['process'],
    tags: {},
    sandbox: { kind: 'none', detail: '' },
  });
  const elsewhere = await rows.organization();
  const holder = await rows.user({ memberOf: [organization.id] });
  const holderToken = uniqueName('token');
  await server.callAsUser(holder.id).tokens.create({ user: 'me', token_name: holderToken });
  const { template, version } = await rows.template({ organization, maxPortShareLevel: 'public' });
  const { workspace, build, job } = await rows.workspace({ organization, owner: holder, template });
  const { agent, token } = await rows.agent({ jobId: job.id });
  const group = await rows.group({ organizationId: organization.id, memberIds: [holder.id] });
  const admin = await rows.user({ siteRoles: ['owner'] });
  const caller = server.callAsUser(admin.id);
  const holderCaller = server.callAsUser(holder.id);
  const proxy = await caller.workspaceProxies.create({ name: uniqueName('proxy') });
  const app = await caller.oauth2Apps.create({ name: uniqueName('app'), callback_url: 'https://app.example.com/callback' });
  const publicApp = await caller.oauth2Apps.create({
    name: uniqueName('app'),
    callback_url: 'http://127.0.0.1/callback',
    client_type: 'public',
  });
  return {
    rows,
    keyOf: server.keyOf,
    /** One that is alive for some seconds. */
    anotherReplica: () =>
      server.prisma.replica.create({ data: { id: newId(), hostname: 'another', relayAddress: '', version: 'v0' }, select: { id: true } }),
    caller,
    holderCaller,
    organization,
    elsewhere,
    holder,
    holderToken,
    template,
    version,
    workspace,
    build,
    agent,
    agentToken: token,
    group,
    proxy,
    app,
    publicApp,
  };
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>;

const PASSWORD = 'correct horse battery staple';

/** Ids that name nothing: the principal's right to ask is what counts. */
const nothing = (): string => newId();

/** External services, one for each way to link. Nobody is there. */
export const EXTERNAL_AUTH = ExternalAuthSettings.parse([
  { id: 'browser', type: 'github', client_id: 'x', token_url: 'http://127.0.0.1:9/token' },
  {
    id: 'device',
    type: 'gitlab',
    client_id: 'x',
    device_flow: true,
    token_url: 'http://127.0.0.1:9/',
    device_code_url: 'http://127.0.0.1:9/',
  },
]);

type InputOf = (fixture: Fixture) => Record<string, unknown> | Promise<Record<string, unknown>>;

const noInput: InputOf = () => ({});
const ofOrganization: InputOf = ({ organization }) => ({ organization: organization.id });
const ofTemplate: InputOf = ({ template }) => ({ template: template.id });
const ofVersion: InputOf = ({ version }) => ({ templateversion: version.id });
/** A dry run that waits, and is the holder's. */
const ofDryRun: InputOf = async ({ holderCaller, version }) => ({
  templateversion: version.id,
  jobID: (await holderCaller.templateVersions.createDryRun({ templateversion: version.id })).id,
});
const ofWorkspace: InputOf = ({ workspace }) => ({ workspace: workspace.id });
/** A running workspace of the holder with a deadline, for calls that change what others ask about. */
const anotherWorkspace = async ({ organization, holder, template, version, rows }: Fixture): Promise<string> => {
  const { workspace } = await rows.workspace({ organization, owner: holder, template });
  const deadline = new Date(Date.now() + 3_600_000);
  await rows.build({ workspace, templateVersionId: version.id, deadline, deadlineRule: 'ttl' });
  return workspace.id;
};
const ofPort = ({ workspace, agent }: Fixture) => ({
  workspace: workspace.id,
  agent_name: agent.name,
  port: 8080,
  share_level: 'public' as const,
  protocol: 'http' as const,
});
const ofBuild: InputOf = ({ build }) => ({ workspacebuild: build.id });
const ofAgent: InputOf = ({ agent }) => ({ workspaceagent: agent.id });
const READS_USERS = { negate: false, resource_type: 'user', action: 'read' };
const ofFreshMember: InputOf = async ({ organization, rows }) => ({
  organization: organization.id,
  user: (await rows.user({ memberOf: [organization.id] })).id,
});
const ofHolder: InputOf = ({ holder }) => ({ user: holder.id });
/** Somebody new in the organization, for calls that change or remove an account. */
const ofSomebody: InputOf = async ({ organization, rows }) => ({ user: (await rows.user({ memberOf: [organization.id] })).id });
const ofApp: InputOf = ({ app }) => ({ app: app.id });
const ofAuthorization = ({ app }: Fixture): Record<string, unknown> => ({ client_id: app.id, response_type: 'code', state: 'x' });
const ofDevice = async ({ caller, publicApp }: Fixture): Promise<Record<string, unknown>> => {
  const begun = await caller.oauth2.beginDevice({ client_id: publicApp.id });
  return { user_code: begun.status === 200 ? begun.body.user_code : '' };
};
const ofJob = (): Record<string, unknown> => ({ job_id: nothing(), lease_token: nothing() });

/**
 * An input for every procedure that passes validation and names the fixture's things, or fresh ones where the procedure
 * removes them. A procedure without one fails the matrix.
 */
export const INPUTS: Readonly<Record<string, InputOf>> = {
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
  'audit.list': noInput,
  'audit.page': noInput,
  'audit.watch': noInput,
  'auth.login': () => ({ email: 'nobody@example.com', password: 'wrong' }),
  'auth.methods': noInput,
  'auth.validatePassword': () => ({ password: PASSWORD }),
  'auth.requestPasscode': () => ({ email: 'nobody@example.com' }),
  'auth.changePasswordWithPasscode': () => ({ email: 'nobody@example.com', password: PASSWORD, one_time_passcode: nothing() }),
  'authorization.check': ({ workspace }) => ({
    checks: { read: { object: { resource_type: 'workspace', resource_id: workspace.id }, action: 'read' } },
  }),
  'authorization.explain': ({ holder }) => ({ user: holder.id, object: { resource_type: 'workspace' }, action: 'read' }),
  'auth.convertLogin': ({ holder }) => ({ user: holder.id, to_type: 'oidc', password: 'wrong' }),
  'buildInfo.get': noInput,
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
  'debug.oidcContext': ofHolder,
  'externalAuth.list': noInput,
  'externalAuth.get': () => ({ externalauth: 'browser' }),
  'externalAuth.unlink': () => ({ externalauth: 'browser' }),
  'externalAuth.begin': () => ({ externalauth: 'browser' }),
  'externalAuth.complete': () => ({ externalauth: 'browser', code: 'x' }),
  'externalAuth.beginDevice': () => ({ externalauth: 'device' }),
  'externalAuth.completeDevice': () => ({ externalauth: 'device', device_code: 'x' }),
  'identities.list': ofHolder,
  'identities.unlink': ({ holder }) => ({ user: holder.id, identity: nothing() }),
  'signOn.begin': () => ({ kind: 'oidc' }),
  'signOn.complete': () => ({ kind: 'oidc', state: 'x', attempt: '', query: '' }),
  'gitSshKeys.get': ofHolder,
  'gitSshKeys.regenerate': ofHolder,
  'groups.create': ({ organization }) => ({ organization: organization.id, name: uniqueName('group') }),
  'groups.list': noInput,
  'groups.listByOrganization': ofOrganization,
  'groups.get': ({ group }) => ({ group: group.id }),
  'groups.getByName': ({ organization, group }) => ({ organization: organization.id, groupName: group.name }),
  'oauth2.authorization': ofAuthorization,
  'oauth2.approve': (fixture) => ({ ...ofAuthorization(fixture), approve: true }),
  'oauth2.token': ({ app }) => ({ client_id: app.id, grant_type: 'authorization_code', code: 'x' }),
  'oauth2.revoke': ({ app }) => ({ client_id: app.id, token: 'x' }),
  'oauth2.introspect': ({ app }) => ({ client_id: app.id, token: 'x' }),
  'oauth2.beginDevice': ({ publicApp }) => ({ client_id: publicApp.id }),
  'oauth2.device': ofDevice,
  'oauth2.approveDevice': async (fixture) => ({ ...(await ofDevice(fixture)), approve: true }),
  'oauth2.grants': noInput,
  'oauth2.revokeApp': ({ app }) => ({ client_id: app.id }),
  'groups.update': ({ group }) => ({ group: group.id, display_name: 'Sailors' }),
  'groups.delete': async ({ caller, holder, organization }) => {
    const { id } = await caller.groups.create({ organization: organization.id, name: uniqueName('group') });
    // Not by a factory: the holder's rights are cached, and have to hear of it.
    await caller.groups.update({ group: id, add_users: [holder.id] });
    return { group: id };
  },
  'licenses.entitlements': noInput,
  'licenses.list': noInput,
  'licenses.add': () => ({ license: 'eyJ' }),
  'licenses.refresh': noInput,
  'licenses.delete': () => ({ id: '1' }),
  'members.list': ofOrganization,
  'members.add': async ({ organization, rows }) => ({ organization: organization.id, user: (await rows.user()).id }),
  'members.remove': ofFreshMember,
  'members.updateRoles': async (fixture) => ({ ...(await ofFreshMember(fixture)), roles: ['organization-auditor'] }),
  'idpSync.organization': noInput,
  'idpSync.updateOrganization': noInput,
  'idpSync.groups': ofOrganization,
  'idpSync.updateGroups': ofOrganization,
  'idpSync.roles': ofOrganization,
  'idpSync.updateRoles': ofOrganization,
  'idpSync.availableFields': noInput,
  'idpSync.organizationFields': ofOrganization,
  'idpSync.dryRun': () => ({ claims: {} }),
  'oauth2Apps.list': noInput,
  'oauth2Apps.create': () => ({ name: uniqueName('app'), callback_url: 'https://app.example.com' }),
  'oauth2Apps.get': ofApp,
  'oauth2Apps.update': ({ app }) => ({ app: app.id, icon: '/icon/app.svg' }),
  'oauth2Apps.delete': async ({ caller }) => ({
    app: (await caller.oauth2Apps.create({ name: uniqueName('app'), callback_url: 'https://x.example.com' })).id,
  }),
  'oauth2Apps.listSecrets': ofApp,
  'oauth2Apps.createSecret': ofApp,
  'oauth2Apps.deleteSecret': async ({ caller, app }) => ({
    app: app.id,
    secretID: (await caller.oauth2Apps.createSecret({ app: app.id }))[0]?.id,
  }),
  'organizations.list': noInput,
  'organizations.get': ofOrganization,
  'organizations.create': () => ({ name: uniqueName('org') }),
  'organizations.update': ({ organization }) => ({ organization: organization.id, description: 'Boats' }),
  'organizations.delete': ofOrganization,
  'provisionerApi.drainDaemon': () => ({ daemon_id: nothing(), session_id: nothing(), left: false }),
  'provisionerApi.registerDaemon': () => ({
    name: 'matrix',
    session_id: nothing(),
    version: 'v0.1.0',
    provisioners: ['process'],
    tags: {},
    sandbox: { kind: 'none', detail: '' },
  }),
  'provisionerApi.acquireJob': () => ({ daemon_id: nothing(), session_id: nothing(), wait_ms: 0 }),
  'provisionerApi.heartbeat': () => ({ ...ofJob(), logs: [] }),
  'provisionerApi.planned': () => ({ ...ofJob(), resources: [] }),
  'provisionerApi.completeImport': () => ({
    ...ofJob(),
    readme: '',
    variables: [],
    parameters: [],
    start_resources: [],
    stop_resources: [],
  }),
  'provisionerApi.completeBuild': () => ({ ...ofJob(), state: '', timings: [] }),
  'provisionerApi.completeDryRun': () => ({ ...ofJob(), resources: [] }),
  'provisionerApi.failJob': () => ({ ...ofJob(), error: 'x', error_code: '', canceled: false }),
  'roles.listSite': noInput,
  'roles.createSite': () => ({ name: uniqueName('role'), site_permissions: [READS_USERS] }),
  'roles.updateSite': async ({ rows }) => ({ name: (await rows.role({ sitePermissions: [READS_USERS] })).name, display_name: 'Reader' }),
  'roles.deleteSite': async ({ rows }) => ({ roleName: (await rows.role({ sitePermissions: [READS_USERS] })).name }),
  'roles.listOrganization': ofOrganization,
  'roles.createOrganization': ({ organization }) => ({ organization: organization.id, name: uniqueName('role') }),
  'roles.updateOrganization': async ({ organization, rows }) => ({
    organization: organization.id,
    name: (await rows.role({ organizationId: organization.id })).name,
    display_name: 'Reader',
  }),
  'roles.deleteOrganization': async ({ organization, rows }) => ({
    organization: organization.id,
    roleName: (await rows.role({ organizationId: organization.id })).name,
  }),
  'scim.serviceProviderConfig': noInput,
  'provisionerDaemons.list': ofOrganization,
  'provisionerKeys.list': async ({ caller, organization }) => {
    await caller.provisionerKeys.create({ organization: organization.id, name: uniqueName('key') });
    return { organization: organization.id };
  },
  'provisionerKeys.listDaemons': async ({ caller, organization }) => {
    await caller.provisionerKeys.create({ organization: organization.id, name: uniqueName('key') });
    return { organization: organization.id };
  },
  'provisionerKeys.create': ({ organization }) => ({ organization: organization.id, name: uniqueName('key'), tags: { gpu: 'yes' } }),
  'provisionerKeys.delete': async ({ caller, organization }) => {
    const name = uniqueName('key');
    await caller.provisionerKeys.create({ organization: organization.id, name });
    return { organization: organization.id, provisionerkey: name };
  },
  'provisionerKeys.getOwn': () => ({ provisionerkey: 'built-in' }),
  'templateVersions.create': ({ organization }) => ({
    organization: organization.id,
    provisioner: 'process',
    storage_method: 'file',
    example_id: 'no such example',
  }),
  'templateVersions.list': ofTemplate,
  'templateVersions.get': ofVersion,
  'templateVersions.cancel': ofVersion,
  'templateVersions.archive': async ({ organization, template, rows }) => ({
    templateversion: (await rows.version({ organization, templateId: template.id })).version.id,
  }),
  'templateVersions.unarchive': async ({ organization, template, rows }) => ({
    templateversion: (await rows.version({ organization, templateId: template.id, archived: true })).version.id,
  }),
  'templateVersions.archiveUnused': async ({ organization, template, rows }) => {
    await rows.version({ organization, templateId: template.id, status: 'failed' });
    return { template: template.id };
  },
  'templateVersions.update': ({ version }) => ({ templateversion: version.id, message: 'said' }),
  'templateVersions.listByName': ({ template, version }) => ({ template: template.id, templateversionname: version.name }),
  'templateVersions.getByNames': ({ organization, template, version }) => ({
    organization: organization.id,
    templatename: template.name,
    templateversionname: version.name,
  }),
  'templateVersions.getPrevious': async ({ organization, template, rows }) => ({
    organization: organization.id,
    templatename: template.name,
    templateversionname: (await rows.version({ organization, templateId: template.id })).version.name,
  }),
  'templates.delete': async ({ organization, rows }) => ({ template: (await rows.template({ organization })).template.id }),
  'templateVersions.createDryRun': ofVersion,
  'templateVersions.dryRun': ofDryRun,
  'templateVersions.dryRunResources': ofDryRun,
  'templateVersions.dryRunLogs': ofDryRun,
  'templateVersions.followDryRunLogs': ofDryRun,
  'templateVersions.cancelDryRun': ofDryRun,
  'templateVersions.externalAuth': ofVersion,
  'templateVersions.logs': ofVersion,
  'templateVersions.followLogs': ofVersion,
  'templateVersions.resources': ofVersion,
  'templateVersions.richParameters': ofVersion,
  'templateVersions.variables': ofVersion,
  'templates.list': noInput,
  'templates.listByOrganization': ofOrganization,
  'templates.get': ofTemplate,
  'templates.getByName': ({ organization, template }) => ({ organization: organization.id, templatename: template.name }),
  'templates.create': async ({ organization, rows }) => ({
    organization: organization.id,
    name: uniqueName('template'),
    template_version_id: (await rows.version({ organization })).version.id,
  }),
  'templates.acl': ofTemplate,
  'templates.aclAvailable': ofTemplate,
  'templates.aclUsers': async ({ caller, template, holder }) => {
    await caller.templates.updateAcl({ template: template.id, user_perms: { [holder.id]: 'use' } });
    return { template: template.id };
  },
  'templates.updateAcl': ({ template, holder }) => ({ template: template.id, user_perms: { [holder.id]: 'use' } }),
  'templates.update': ({ template }) => ({ template: template.id, description: 'said' }),
  'templates.policyImpact': ({ template }) => ({ template: template.id, time_til_dormant_ms: 60_000 }),
  'templates.daus': ofTemplate,
  'templates.promote': ({ template, version }) => ({ template: template.id, id: version.id }),
  'templates.examples': noInput,
  'templates.examplesByOrganization': ofOrganization,
  'templates.installExample': ({ organization }) => ({ organization: organization.id, example_id: 'no such example' }),
  'tokens.createSession': ofHolder,
  'tokens.create': ({ holder }) => ({ user: holder.id, token_name: uniqueName('token') }),
  'tokens.list': ofHolder,
  'tokens.listSessions': ofHolder,
  'tokens.get': async ({ holder, keyOf }) => ({ user: holder.id, keyid: (await keyOf(holder.id)).split('-')[0] }),
  'tokens.getByName': ({ holder, holderToken }) => ({ user: holder.id, keyname: holderToken }),
  'tokens.config': ofHolder,
  'tokens.deleteAll': ofSomebody,
  'tokens.delete': async ({ holder, keyOf }) => ({ user: holder.id, keyid: (await keyOf(holder.id)).split('-')[0] }),
  'users.hasFirst': noInput,
  'users.createFirst': () => ({ email: 'first@example.com', username: 'first', password: PASSWORD }),
  'users.list': noInput,
  'users.create': ({ organization }) => {
    const username = uniqueName('user');
    return { email: `${username}@example.com`, username, login_type: 'none', organization_ids: [organization.id] };
  },
  'users.get': ofHolder,
  'users.delete': ofSomebody,
  'users.updateProfile': ({ holder }) => ({ user: holder.id, name: 'Ada' }),
  'users.updatePassword': async (fixture) => ({ ...(await ofSomebody(fixture)), password: PASSWORD }),
  'users.suspend': ofSomebody,
  'users.activate': ofSomebody,
  'users.roles': ofHolder,
  'users.updateRoles': async (fixture) => ({ ...(await ofSomebody(fixture)), roles: ['auditor'] }),
  'users.loginType': ofHolder,
  'users.organizations': ofHolder,
  'users.organizationByName': ({ holder, organization }) => ({ user: holder.id, organizationname: organization.name }),
  'users.autofillParameters': ({ holder, template }) => ({ user: holder.id, template_id: template.id }),
  'users.updateAppearance': ({ holder }) => ({ user: holder.id, theme_preference: 'dark' }),
  'workspaceProxies.list': noInput,
  'workspaceProxies.create': () => ({ name: uniqueName('proxy') }),
  'workspaceProxies.get': ({ proxy }) => ({ workspaceproxy: proxy.id }),
  'workspaceProxies.update': ({ proxy }) => ({ workspaceproxy: proxy.id, icon: '/icon/proxy.svg' }),
  'workspaceProxies.delete': async ({ caller }) => ({
    workspaceproxy: (await caller.workspaceProxies.create({ name: uniqueName('proxy') })).id,
  }),
  'workspaces.get': ofWorkspace,
  'workspaces.getByOwnerAndName': ({ holder, workspace }) => ({ user: holder.username, workspacename: workspace.name }),
  'workspaces.list': noInput,
  'workspaces.watch': ofWorkspace,
  'workspaces.watchList': noInput,
  'builds.timings': ofBuild,
  'builds.why': ofBuild,
  'quotas.explain': ({ organization, holder }) => ({ organization: organization.id, user: holder.id }),
  'quotas.get': ({ organization, holder }) => ({ organization: organization.id, user: holder.id }),
  'quotas.getDeprecated': ({ holder }) => ({ user: holder.id }),
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
  'replicas.list': async ({ anotherReplica }) => {
    await anotherReplica();
    return {};
  },
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
  'quietHours.get': ofHolder,
  'quietHours.update': ({ holder }) => ({ user: holder.id, schedule: '30 22 * * *' }),
  'workspaces.create': ({ holder, template }) => ({ user: holder.id, name: uniqueName('ws'), template_id: template.id }),
  'workspaces.createInOrganization': ({ organization, holder, template }) => ({
    organization: organization.id,
    user: holder.id,
    name: uniqueName('ws'),
    template_id: template.id,
  }),
};

/** Procedures that the matrix does not call, each with the test that holds them instead. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'auth.logout': 'it would end the session of the next cell; packages/api/src/auth/auth.db.test.ts',
  ...Object.fromEntries(
    [
      'schemas',
      'schema',
      'resourceTypes',
      'resourceType',
      'listUsers',
      'getUser',
      'createUser',
      'replaceUser',
      'patchUser',
      'deleteUser',
      'listGroups',
      'getGroup',
      'createGroup',
      'replaceGroup',
      'patchGroup',
      'deleteGroup',
    ].map((name) => [`scim.${name}`, 'it knows the identity provider alone; packages/rest/src/raw/scim-door.api.test.ts']),
  ),
};
