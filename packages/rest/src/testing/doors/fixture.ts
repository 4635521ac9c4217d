import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { afterAll } from 'vitest';
import type { FakeAgent } from '../fake-agent.ts';
import { connectFakeAgent, startEchoApp } from '../fake-agent.ts';
import type { TestServer } from '../index.ts';
import type { Credentials } from '../matrix/principals.ts';
import { PRINCIPALS, credentialsFor } from '../matrix/principals.ts';

/** Who comes to a door, in the order of the columns of `expectations.ts`: the callers of all operations, and who has only a share. */
export const VISITORS = [...PRINCIPALS, 'app-guest', 'terminal-guest', 'viewer'] as const;
export type VisitorName = (typeof VISITORS)[number];
export type VisitorHeaders = Readonly<Record<VisitorName, Readonly<Record<string, string>>>>;

async function startApp(): Promise<number> {
  const { server, port } = await startEchoApp();
  afterAll(() => void server.close());
  return port;
}

/** A running workspace of `holder` with everything that can be opened from outside, and the credentials of all who try. */
export async function createDoorFixture(server: TestServer, url: string) {
  const { prisma } = server;
  const rows = given(prisma);
  const organization = await rows.organization();
  const elsewhere = await rows.organization();
  const holder = await rows.user({ memberOf: [organization.id] });
  const { template, version } = await rows.template({ organization, maxPortShareLevel: 'public' });
  const made = await rows.workspace({ organization, owner: holder, template, status: 'running' });
  const { workspace, build, job } = made;
  const ports = { app: await startApp(), mine: await startApp(), known: await startApp(), open: await startApp() };
  const address = `http://localhost:${ports.app}`;
  const { agent, token } = await rows.agent({
    jobId: job.id,
    apps: [
      { slug: 'path', url: address },
      { slug: 'mine', subdomain: true, url: address },
      { slug: 'known', subdomain: true, sharingLevel: 'authenticated', url: address },
      { slug: 'open', subdomain: true, sharingLevel: 'public', url: address },
      { slug: 'open-path', sharingLevel: 'public', url: address },
    ],
  });
  await rows.portShare({ workspaceId: workspace.id, agentName: agent.name, port: ports.known, shareLevel: 'authenticated' });
  await rows.portShare({ workspaceId: workspace.id, agentName: agent.name, port: ports.open, shareLevel: 'public' });
  const fake: FakeAgent = await connectFakeAgent({ url, token });
  const source = await prisma.workspaceAgentLogSource.create({ data: { id: newId(), agentId: agent.id, displayName: 'startup' } });
  await prisma.workspaceAgentLog.create({ data: { agentId: agent.id, logSourceId: source.id, output: 'a line' } });
  // The caller `agent` is another one, so that what it opens takes nothing from this workspace.
  const other = await rows.workspace({ organization, owner: holder, template });
  const { token: agentToken } = await rows.agent({ jobId: other.job.id });
  await server.callAs({ kind: 'provisioner', organizationId: organization.id, keyId: null, tags: {} }).provisionerApi.registerDaemon({
    name: 'waiting',
    session_id: newId(),
    version: 'v0',
    provisioners: ['process'],
    tags: {},
    sandbox: { kind: 'none', detail: '' },
  });
  const dryRun = await server.callAsUser(holder.id).templateVersions.createDryRun({ templateversion: version.id });
  for (const jobId of [job.id, version.jobId, dryRun.id]) {
    await prisma.provisionerJobLog.create({ data: { jobId, source: 'provisioner', level: 'info', stage: 'apply', output: 'a line' } });
  }

  const terminalId = newId();
  const guest = async (share: { access: string; terminalId?: string }): Promise<Readonly<Record<string, string>>> => {
    const user = await rows.user({ memberOf: [organization.id] });
    await rows.share({ workspaceId: workspace.id, userId: user.id, ...share });
    return { 'service-session-token': await server.keyOf(user.id) };
  };
  const credentials: Credentials = await credentialsFor(server, { rows, organization, elsewhere, holder, agentToken });
  const visitors: VisitorHeaders = {
    ...credentials,
    'app-guest': await guest({ access: 'apps' }),
    'terminal-guest': await guest({ access: 'terminal' }),
    viewer: await guest({ access: 'terminal_view', terminalId }),
  };
  return { url, rows, organization, holder, template, version, workspace, build, agent, ports, fake, dryRun, terminalId, visitors };
}

export type DoorFixture = Awaited<ReturnType<typeof createDoorFixture>>;
