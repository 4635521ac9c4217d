import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi, trackedParts, userPrincipal } from '../testing/index.ts';
import { WorkspaceBuild } from './contract.ts';

const { prisma, callAs, callAsUser, countStatements } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const siteOwner = await rows.user({ siteRoles: ['owner'] });

async function withBuilds() {
  const made = await rows.workspace({ organization });
  const { build: second } = await rows.build({ workspace: made.workspace, templateVersionId: made.version.id, transition: 'stop' });
  const { build: third, job } = await rows.build({
    workspace: made.workspace,
    templateVersionId: made.version.id,
    createdAt: new Date(Date.now() + 60_000),
  });
  await rows.agent({ jobId: job.id });
  return { ...made, second, third };
}

describe('list', () => {
  it('goes from the newest to the oldest, with everything in each, by one statement', async () => {
    const { owner, workspace, build, second, third } = await withBuilds();
    const caller = callAs(await userPrincipal(prisma, owner.id));
    const builds = await caller.builds.list({ workspace: workspace.id });
    expect(builds.map(({ id }) => id)).toEqual([third.id, second.id, build.id]);
    expect(builds[0]).toEqual(WorkspaceBuild.parse(builds[0]));
    expect(builds[0]?.resources[0]?.agents[0]).toMatchObject({ status: 'connecting' });
    expect(await countStatements(() => caller.builds.list({ workspace: workspace.id }))).toBe(1);
    expect(await countStatements(() => caller.builds.get({ workspacebuild: build.id }))).toBe(1);
  });

  it('pages by offset, by the build before, and by time', async () => {
    const { owner, workspace, build, second, third } = await withBuilds();
    const list = async (query: object) =>
      (await callAsUser(owner.id).builds.list({ workspace: workspace.id, ...query })).map(({ id }) => id);
    expect(await list({ limit: '1', offset: '1' })).toEqual([second.id]);
    expect(await list({ after_id: third.id })).toEqual([second.id, build.id]);
    expect(await list({ after_id: build.id })).toEqual([]);
    expect(await list({ since: new Date(Date.now() + 30_000).toISOString() })).toEqual([third.id]);
    await expect(list({ after_id: newId() })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(list({ limit: 501 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('works for a deleted workspace, and is 404 for who may not read it', async () => {
    const { owner, workspace } = await rows.workspace({ organization, deleted: true });
    const stranger = await rows.user({ memberOf: [organization.id] });
    await expect(callAsUser(owner.id).builds.list({ workspace: workspace.id })).resolves.toHaveLength(1);
    await expect(callAsUser(stranger.id).builds.list({ workspace: workspace.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(callAsUser(owner.id).builds.list({ workspace: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('one build', () => {
  it('is found by its id and by its number, and by nobody else', async () => {
    const { owner, workspace, second } = await withBuilds();
    const stranger = await rows.user({ memberOf: [organization.id] });
    const byNumber = { user: owner.username, workspacename: workspace.name.toUpperCase(), buildnumber: '2' };
    await expect(callAsUser(owner.id).builds.get({ workspacebuild: second.id })).resolves.toMatchObject({
      id: second.id,
      status: 'stopped',
    });
    await expect(callAsUser(owner.id).builds.getByUserWorkspaceAndNumber(byNumber)).resolves.toMatchObject({ id: second.id });
    await expect(callAsUser(siteOwner.id).builds.getByUserWorkspaceAndNumber({ ...byNumber, buildnumber: 9 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(callAsUser(owner.id).builds.getByUserWorkspaceAndNumber({ ...byNumber, buildnumber: 'x' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await expect(callAsUser(stranger.id).builds.get({ workspacebuild: second.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(callAsUser(stranger.id).builds.getByUserWorkspaceAndNumber(byNumber)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('shows its state to who may update the template only', async () => {
    const { owner, build } = await rows.workspace({ organization });
    const stranger = await rows.user({ memberOf: [organization.id] });
    await expect(callAsUser(owner.id).builds.state({ workspacebuild: build.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(callAsUser(stranger.id).builds.state({ workspacebuild: build.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(callAsUser(siteOwner.id).builds.state({ workspacebuild: build.id })).resolves.toMatchObject({
      id: build.id,
      provisioner_state: '',
    });
  });
});

describe('cancel', () => {
  it('ends a waiting build at once and asks a running one to end, where the template lets users', async () => {
    const { template } = await rows.template({ organization, allowUserCancelWorkspaceJobs: true });
    const waiting = await rows.workspace({ template, status: 'pending' });
    const running = await rows.workspace({ template, status: 'running' });
    for (const [{ owner, build }, status] of [
      [waiting, 'canceled'],
      [running, 'canceling'],
    ] as const) {
      await callAsUser(owner.id).builds.cancel({ workspacebuild: build.id });
      expect(await prisma.auditLog.findFirstOrThrow({ where: { resourceId: build.id, statusCode: 200 } })).toMatchObject({
        action: 'write',
        resourceType: 'workspace_build',
        additionalFields: { canceled: true },
      });
      await expect(callAsUser(owner.id).builds.get({ workspacebuild: build.id })).resolves.toMatchObject({ status });
      await expect(callAsUser(owner.id).builds.cancel({ workspacebuild: build.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
  });

  it('is left to those who may change every workspace, as site owners, where the template does not let users', async () => {
    const { owner, build } = await rows.workspace({ organization, status: 'running' });
    await expect(callAsUser(owner.id).builds.cancel({ workspacebuild: build.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(callAsUser(siteOwner.id).builds.cancel({ workspacebuild: build.id })).resolves.toMatchObject({ validations: [] });
    // The permission decides, whatever role it comes from.
    const read = { resource_type: 'workspace', action: 'read', negate: false };
    const role = await rows.role({ sitePermissions: [read, { ...read, action: 'update' }] });
    const other = await rows.workspace({ organization, status: 'running' });
    const operator = await rows.user({ siteRoles: [role.name] });
    await expect(callAsUser(operator.id).builds.cancel({ workspacebuild: other.build.id })).resolves.toMatchObject({ validations: [] });
  });

  it('is refused once the build has ended', async () => {
    const { build } = await rows.workspace({ organization });
    await expect(callAsUser(siteOwner.id).builds.cancel({ workspacebuild: build.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('logs', () => {
  async function withLogs() {
    const made = await rows.workspace({ organization, status: 'running' });
    for (const output of ['one', 'two', 'three']) {
      await prisma.provisionerJobLog.create({ data: { jobId: made.job.id, source: 'provisioner', level: 'info', stage: 'apply', output } });
    }
    return made;
  }

  it('come oldest first, between after and before', async () => {
    const { owner, build } = await withLogs();
    const logs = await callAsUser(owner.id).builds.logs({ workspacebuild: build.id });
    expect(logs.map(({ output }) => output)).toEqual(['one', 'two', 'three']);
    const [first, , last] = logs;
    const between = await callAsUser(owner.id).builds.logs({
      workspacebuild: build.id,
      after: String(first?.id),
      before: String(last?.id),
    });
    expect(between.map(({ output }) => output)).toEqual(['two']);
  });

  it('are followed to the end of the job, and resume after the last line that was seen', async () => {
    const { owner, build, job } = await withLogs();
    const followed = await callAsUser(owner.id).builds.followLogs({ workspacebuild: build.id });
    const outputs: string[] = [];
    let lastId = '';
    for await (const item of followed) {
      const { id, data } = trackedParts(item);
      outputs.push(data.output);
      lastId = id;
      if (outputs.length === 3) {
        await prisma.provisionerJob.update({ where: { id: job.id }, data: { completedAt: new Date() } });
        await prisma.$executeRaw`SELECT pg_notify('berth_news', ${JSON.stringify(['job_logs', { job_id: job.id }])})`;
      }
    }
    expect(outputs).toEqual(['one', 'two', 'three']);
    const resumed = await callAsUser(owner.id).builds.followLogs({ workspacebuild: build.id, lastEventId: String(Number(lastId) - 1) });
    const rest: string[] = [];
    for await (const item of resumed) rest.push(trackedParts(item).data.output);
    expect(rest).toEqual(['three']);
  });

  it('are 404 for who may not read the workspace', async () => {
    const { build } = await withLogs();
    const stranger = await rows.user({ memberOf: [organization.id] });
    await expect(callAsUser(stranger.id).builds.logs({ workspacebuild: build.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(callAsUser(stranger.id).builds.followLogs({ workspacebuild: build.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
