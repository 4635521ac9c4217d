import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { agentConnected, agentDisconnected } from '../agents/index.ts';
import { workspaceChannel } from '../kernel/channels.ts';
import { createTestApi } from '../testing/index.ts';

const { prisma, bus, services, callAsUser } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();

const tell = (workspace: { id: string; ownerId: string }) =>
  services.bus.publish(prisma, workspaceChannel, { workspace_id: workspace.id, owner_id: workspace.ownerId, kind: 'test' });

/** The next item of a stream, which must have one. */
async function next<T>(stream: AsyncIterator<T>): Promise<T> {
  const result = await stream.next();
  if (result.done === true) throw new Error('the stream has ended');
  return result.value;
}

describe('watch', () => {
  it('gives the workspace at once and again after each change, but not when nothing changed', async () => {
    const { owner, workspace, version } = await rows.workspace({ organization });
    const stream = (await callAsUser(owner.id).workspaces.watch({ workspace: workspace.id }))[Symbol.asyncIterator]();
    expect(await next(stream)).toMatchObject({ id: workspace.id, latest_build: { build_number: 1 } });
    await tell(workspace);
    await rows.build({ workspace, templateVersionId: version.id, transition: 'stop', status: 'running' });
    await tell(workspace);
    expect(await next(stream)).toMatchObject({ latest_build: { build_number: 2, status: 'stopping' } });
    await stream.return?.();
  });

  it('hears of an agent that connects and leaves', async () => {
    const { owner, workspace, job } = await rows.workspace({ organization });
    const { agent } = await rows.agent({ jobId: job.id });
    const stream = (await callAsUser(owner.id).workspaces.watch({ workspace: workspace.id }))[Symbol.asyncIterator]();
    const statusOf = async () => (await next(stream)).latest_build.resources[0]?.agents[0]?.status;
    expect(await statusOf()).toBe('connecting');
    await agentConnected(services, agent.id);
    expect(await statusOf()).toBe('connected');
    await agentDisconnected(services, agent.id);
    expect(await statusOf()).toBe('disconnected');
    await agentConnected(services, agent.id);
    expect(await statusOf()).toBe('connected');
    await stream.return?.();
  });

  it('ends with a refusal when the right to read ends', async () => {
    const { owner, workspace } = await rows.workspace({ organization });
    const stream = (await callAsUser(owner.id).workspaces.watch({ workspace: workspace.id }))[Symbol.asyncIterator]();
    await next(stream);
    await prisma.organizationMember.deleteMany({ where: { userId: owner.id } });
    await tell(workspace);
    await expect(stream.next()).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('is 404 for who may not read the workspace, before anything is sent', async () => {
    const { workspace } = await rows.workspace({ organization });
    const stranger = await rows.user({ memberOf: [organization.id] });
    await expect(callAsUser(stranger.id).workspaces.watch({ workspace: workspace.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('watchList', () => {
  it('pushes what changed among the caller’s own, never others’, and null for what was deleted', async () => {
    const mine = await rows.workspace({ organization });
    const second = await rows.workspace({ template: mine.template, owner: mine.owner });
    const other = await rows.workspace({ organization });
    const stream = (await callAsUser(mine.owner.id).workspaces.watchList())[Symbol.asyncIterator]();
    const first = next(stream);
    await tell(other.workspace);
    await tell(mine.workspace);
    expect(await first).toMatchObject({ id: mine.workspace.id, workspace: { name: mine.workspace.name } });
    await prisma.workspace.update({ where: { id: second.workspace.id }, data: { deleted: true } });
    await tell(other.workspace);
    await tell(second.workspace);
    expect(await next(stream)).toEqual({ id: second.workspace.id, workspace: null });
    await stream.return?.();
  });

  it('shows an organization’s administrator the whole organization, and follows their rights', async () => {
    const { workspace } = await rows.workspace({ organization });
    const admin = await rows.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-admin'] }] });
    const stream = (await callAsUser(admin.id).workspaces.watchList())[Symbol.asyncIterator]();
    const first = next(stream);
    await tell(workspace);
    expect(await first).toMatchObject({ id: workspace.id });
    await prisma.organizationMember.updateMany({ where: { userId: admin.id }, data: { roles: [] } });
    const own = await rows.workspace({ organization, owner: admin });
    const second = next(stream);
    await tell(workspace);
    await tell(own.workspace);
    expect(await second).toMatchObject({ id: own.workspace.id });
    await stream.return?.();
    expect(bus.connected).toBe(true);
  });
});
