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
  const search = await holderCaller.savedSearches.create({ user: 'me', page: 'workspaces', name: 'Mine', address: 'q=owner%3Ame' });
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
    search,
  };
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>;

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
