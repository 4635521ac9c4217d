import type { Organization, Template, User } from '@berth/db';
import { given } from '@berth/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { RESOURCE } from '../provisioner-api/test-provisioner.ts';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAs, callAsUser } = await createTestApi();
const make = given(prisma);

let organization: Organization;
let owner: User;
let template: Template;

/** An owner who may spend `allowance`, and a template whose start costs `cost` by what its import foresaw. */
async function givenSource({ allowance, cost }: { allowance: number; cost: number }): Promise<void> {
  await prisma.group.update({ where: { id: organization.id }, data: { quotaAllowance: allowance } });
  const made = await make.template({ organization });
  template = made.template;
  await foresee(made.version.jobId, cost);
}

async function foresee(jobId: string, cost: number): Promise<void> {
  const resource = { jobId, name: 'home', type: 'process' };
  await prisma.workspaceResource.create({ data: { id: crypto.randomUUID(), ...resource, transition: 'start', dailyCost: cost } });
}

beforeEach(async () => {
  organization = await make.organization();
  owner = await make.user({ memberOf: [organization.id] });
  await callAs({ kind: 'provisioner', organizationId: organization.id, keyId: null, tags: {} }).provisionerApi.registerDaemon(
    daemonOf('a'),
  );
});

const daemonOf = (name: string) => ({
  name,
  session_id: sessionId,
  version: 'v1',
  provisioners: ['process' as const],
  tags: {},
  sandbox: { kind: 'none' as const, detail: '' },
});
const sessionId = crypto.randomUUID();

const caller = () => callAsUser(owner.id);
const provisioner = () => callAs({ kind: 'provisioner', organizationId: organization.id, keyId: null, tags: {} }).provisionerApi;

/** A workspace that costs this much now. */
async function givenWorkspace(
  cost: number,
  { transition = 'start', status = 'succeeded' }: { transition?: 'start' | 'stop'; status?: 'succeeded' | 'pending' } = {},
) {
  const made = await make.workspace({ template, owner, transition, status });
  await prisma.workspaceBuild.update({ where: { id: made.build.id }, data: { dailyCost: cost } });
  return made;
}

const build = (workspace: string, transition: 'start' | 'stop' | 'delete') => caller().builds.create({ workspace, transition });

describe('a quota', () => {
  test('is the sum of the allowances of the user’s groups, and what their living workspaces cost by their latest builds', async () => {
    await givenSource({ allowance: 10, cost: 0 });
    await make.group({ organizationId: organization.id, memberIds: [owner.id], quotaAllowance: 5 });
    await make.group({ organizationId: organization.id, quotaAllowance: 100 });
    const [dear, cheap, deleted] = [await givenWorkspace(4), await givenWorkspace(1, { transition: 'stop' }), await givenWorkspace(50)];
    await prisma.workspace.update({ where: { id: deleted.workspace.id }, data: { deleted: true } });
    await make.build({ workspace: dear.workspace, templateVersionId: template.activeVersionId, dailyCost: 7 });

    const input = { organization: organization.name, user: 'me' };
    expect(await caller().quotas.get(input)).toEqual({ credits_consumed: 8, budget: 15 });
    const explained = await caller().quotas.explain(input);
    expect(explained).toMatchObject({ credits_consumed: 8, budget: 15 });
    expect(explained.groups.map(({ quota_allowance }) => quota_allowance)).toEqual([10, 5]);
    expect(explained.workspaces).toEqual([
      { id: dear.workspace.id, name: dear.workspace.name, daily_cost: 7, build_number: 2 },
      { id: cheap.workspace.id, name: cheap.workspace.name, daily_cost: 1, build_number: 1 },
    ]);
  });

  test('is nobody’s outside of the organization', async () => {
    const stranger = await make.user();
    await expect(callAsUser(owner.id).quotas.get({ organization: (await make.organization()).id, user: 'me' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(callAsUser(stranger.id).quotas.get({ organization: organization.id, user: owner.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('before a build is queued', () => {
  test('a workspace that costs more than is left is refused, with what it costs, what is used and what is allowed', async () => {
    await givenSource({ allowance: 10, cost: 3 });
    await givenWorkspace(8);
    await expect(caller().workspaces.create({ user: 'me', name: 'dear', template_id: template.id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'insufficient quota: the build costs 3 a day, and the other workspaces of the owner use 8 of 10.',
    });
    expect(await prisma.workspace.count({ where: { ownerId: owner.id } })).toBe(1);
  });

  test('starts that would cost more are refused; stops, deletes and cheaper starts never', async () => {
    await givenSource({ allowance: 10, cost: 3 });
    await givenWorkspace(20);
    const stopped = await givenWorkspace(0, { transition: 'stop' });
    await expect(build(stopped.workspace.id, 'start')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(build(stopped.workspace.id, 'delete')).resolves.toMatchObject({ transition: 'delete' });
    const dear = await givenWorkspace(4);
    await expect(build(dear.workspace.id, 'start')).resolves.toMatchObject({ transition: 'start' });
    const other = await givenWorkspace(3);
    await expect(build(other.workspace.id, 'stop')).resolves.toMatchObject({ transition: 'stop' });
  });

  test('what costs nothing is built without any allowance', async () => {
    await givenSource({ allowance: 0, cost: 0 });
    await expect(caller().workspaces.create({ user: 'me', name: 'free', template_id: template.id })).resolves.toMatchObject({
      name: 'free',
    });
  });
});

describe('when a build is planned', () => {
  async function acquireAll(count: number) {
    const { daemon_id } = await provisioner().registerDaemon(daemonOf('a'));
    const leases: { job_id: string; lease_token: string }[] = [];
    for (let index = 0; index < count; index += 1) {
      const { job } = await provisioner().acquireJob({ daemon_id, session_id: sessionId, wait_ms: 0 });
      if (job !== null) leases.push({ job_id: job.id, lease_token: job.lease_token });
    }
    return leases;
  }

  test('builds that are planned at once never spend the quota together: those that do not fit fail with a reason', async () => {
    await givenSource({ allowance: 10, cost: 0 });
    for (let index = 0; index < 6; index += 1) await givenWorkspace(0, { status: 'pending' });
    const leases = await acquireAll(6);
    expect(leases).toHaveLength(6);
    const resources = [{ ...RESOURCE, daily_cost: 4 }];
    const outcomes = await Promise.allSettled(leases.map((lease) => provisioner().planned({ ...lease, resources })));

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await caller().quotas.get({ organization: organization.id, user: 'me' })).toEqual({ credits_consumed: 8, budget: 10 });
    const failed = await prisma.provisionerJob.findMany({ where: { organizationId: organization.id, error: { not: '' } } });
    expect(failed).toHaveLength(4);
    for (const job of failed) {
      expect(job.error).toBe('insufficient quota: the build costs 4 a day, and the other workspaces of the owner use 8 of 10.');
      expect(job.completedAt).not.toBeNull();
      expect(job.leaseToken).toBeNull();
    }
  });

  test('the daemon of a refused build has lost its lease, and nothing of the plan is left', async () => {
    await givenSource({ allowance: 1, cost: 0 });
    const { build: refused } = await givenWorkspace(0, { status: 'pending' });
    const [lease] = await acquireAll(1);
    if (lease === undefined) throw new Error('no job');
    await expect(provisioner().planned({ ...lease, resources: [{ ...RESOURCE, daily_cost: 2 }] })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await expect(provisioner().heartbeat({ ...lease, logs: [] })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await prisma.workspaceResource.count({ where: { jobId: refused.jobId } })).toBe(0);
    expect(await caller().builds.why({ workspacebuild: refused.id })).toMatchObject({ kind: 'failed', action: 'raise_quota' });
  });

  test('what turns out to cost more once it is made is written down, and fails nothing', async () => {
    await givenSource({ allowance: 5, cost: 0 });
    await givenWorkspace(0, { status: 'pending' });
    const [lease] = await acquireAll(1);
    if (lease === undefined) throw new Error('no job');
    await provisioner().planned({ ...lease, resources: [RESOURCE] });
    await expect(provisioner().planned({ ...lease, resources: [{ ...RESOURCE, daily_cost: 9 }] })).resolves.toMatchObject({
      agents: [{ name: 'main' }],
    });
    expect(await caller().quotas.get({ organization: organization.id, user: 'me' })).toEqual({ credits_consumed: 9, budget: 5 });
  });

  test('until its next build is planned, a workspace costs what it costs now', async () => {
    await givenSource({ allowance: 10, cost: 6 });
    const running = await givenWorkspace(6);
    await build(running.workspace.id, 'stop');
    await expect(caller().workspaces.create({ user: 'me', name: 'second', template_id: template.id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});
