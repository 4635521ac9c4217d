import type { Organization, Template, User } from '@berth/db';
import { given } from '@berth/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestApi } from '../../testing/index.ts';

const { prisma, clock, callAs, callAsUser, countStatements } = await createTestApi();
const make = given(prisma);

let organization: Organization;
let owner: User;
let template: Template;
beforeEach(async () => {
  organization = await make.organization();
  owner = await make.user({ memberOf: [organization.id] });
  ({ template } = await make.template({ organization }));
});

const ago = (seconds: number) => new Date(clock.now().getTime() - seconds * 1000);

async function givenDaemon(name: string, { tags = {}, slots = 1, provisioners = ['process' as const] }: Given = {}): Promise<Daemon> {
  const session_id = crypto.randomUUID();
  const { daemon_id } = await provisioner().registerDaemon({
    name,
    session_id,
    version: 'v1',
    provisioners,
    tags,
    slots,
    sandbox: { kind: 'none', detail: '' },
  });
  return { daemon_id, session_id };
}
interface Given {
  readonly tags?: Record<string, string>;
  readonly slots?: number;
  readonly provisioners?: ('process' | 'terraform')[];
}
interface Daemon {
  readonly daemon_id: string;
  readonly session_id: string;
}
const provisioner = () => callAs({ kind: 'provisioner', organizationId: organization.id, keyId: null, tags: {} }).provisionerApi;
const acquire = (daemon: Daemon) => provisioner().acquireJob({ ...daemon, wait_ms: 0 });

/** A workspace whose start waits since `secondsAgo`. */
async function givenWaiting(secondsAgo: number, { tags = {}, type = 'process' }: { tags?: Record<string, string>; type?: string } = {}) {
  const made = await make.workspace({ template, owner, status: 'pending' });
  await prisma.provisionerJob.update({
    where: { id: made.job.id },
    data: { createdAt: ago(secondsAgo), provisioner: type, tags: { scope: 'organization', owner: '', ...tags } },
  });
  return made;
}

const why = (build: { id: string }) => callAsUser(owner.id).builds.why({ workspacebuild: build.id });
const queueOf = async (build: { id: string }) => {
  const { job } = await callAsUser(owner.id).builds.get({ workspacebuild: build.id });
  return [job.queue_position, job.queue_size];
};

describe('the place in the queue', () => {
  test('counts the jobs that the same provisioners could take, and nobody else’s', async () => {
    await givenDaemon('general');
    await givenDaemon('special', { tags: { gpu: 'yes' }, provisioners: ['process', 'terraform'] });
    const first = await givenWaiting(60);
    const special = await givenWaiting(50, { tags: { gpu: 'yes' } });
    const canceled = await givenWaiting(45);
    const other = await givenWaiting(42, { tags: { gpu: 'yes' }, type: 'terraform' });
    const second = await givenWaiting(40);
    await callAsUser((await make.user({ siteRoles: ['owner'] })).id).builds.cancel({ workspacebuild: canceled.build.id });
    await make.workspace({ status: 'pending' });

    expect(await queueOf(first.build)).toEqual([1, 2]);
    expect(await queueOf(second.build)).toEqual([2, 2]);
    // One daemon takes both of these, whatever their type.
    expect(await queueOf(special.build)).toEqual([1, 2]);
    expect(await queueOf(other.build)).toEqual([2, 2]);
    expect(await queueOf(canceled.build)).toEqual([0, 0]);
  });

  test('is known while no provisioner is: among the jobs that need just the same', async () => {
    const first = await givenWaiting(60, { type: 'terraform' });
    await givenWaiting(55);
    const second = await givenWaiting(50, { type: 'terraform' });
    expect(await queueOf(first.build)).toEqual([1, 2]);
    expect(await queueOf(second.build)).toEqual([2, 2]);
  });

  test('is left with the queue', async () => {
    const { build } = await givenWaiting(60);
    await acquire(await givenDaemon('general'));
    expect(await queueOf(build)).toEqual([0, 0]);
  });
});

describe('why a build waits', () => {
  test('no provisioner has its type and tags', async () => {
    await givenDaemon('general');
    const { build } = await givenWaiting(5, { tags: { region: 'eu' } });
    expect(await why(build)).toMatchObject({
      kind: 'waiting_no_provisioner',
      action: 'add_provisioner',
      sentence: 'No provisioner can take this build: it needs one for process with the tag region=eu.',
      waiting: { provisioner: 'process', tags: { region: 'eu' }, daemons_free: 0, estimate_seconds: null },
      failed: null,
    });
  });

  test('those that could are offline or about to leave', async () => {
    await givenDaemon('away');
    await provisioner().drainDaemon({ ...(await givenDaemon('leaving')), left: false });
    await prisma.provisionerDaemon.updateMany({ where: { name: 'away', organizationId: organization.id }, data: { lastSeenAt: ago(181) } });
    const { build } = await givenWaiting(5);
    expect(await why(build)).toMatchObject({
      kind: 'waiting_provisioner_offline',
      waiting: { daemons_offline: 1, daemons_draining: 1, daemons_free: 0, daemons_busy: 0 },
    });
  });

  test('all are busy: its place, and how long it takes by the builds before', async () => {
    for (const seconds of [10, 60, 600]) {
      const done = await make.workspace({ template, owner });
      await prisma.provisionerJob.update({ where: { id: done.job.id }, data: { startedAt: ago(1000), completedAt: ago(1000 - seconds) } });
    }
    const daemons = [await givenDaemon('one'), await givenDaemon('two')];
    for (const daemon of daemons) {
      await givenWaiting(90);
      await acquire(daemon);
    }
    const next = await givenWaiting(30);
    const later = await givenWaiting(20);
    expect(await why(next.build)).toMatchObject({
      kind: 'waiting_busy',
      action: 'wait',
      waiting: { daemons_busy: 2, queue_position: 1, queue_size: 2, estimate_seconds: 30 },
    });
    expect(await why(later.build)).toMatchObject({ kind: 'waiting_queue', waiting: { queue_position: 2, estimate_seconds: 60 } });
  });

  test('a provisioner that does several jobs at a time is free while it has a slot', async () => {
    const daemon = await givenDaemon('wide', { slots: 2 });
    await givenWaiting(60);
    await acquire(daemon);
    const { build } = await givenWaiting(5);
    expect(await why(build)).toMatchObject({ kind: 'waiting_pickup', waiting: { daemons_free: 1, estimate_seconds: 0 } });
    await acquire(daemon);
    expect(await why(build)).toMatchObject({ kind: 'running', waiting: null, failed: null });
  });
});

describe('why a build failed', () => {
  async function givenFailed() {
    const { version: old } = await make.version({ organization, templateId: template.id, name: 'old' });
    const { version: fresh } = await make.version({ organization, templateId: template.id, name: 'fresh' });
    const made = await make.workspace({ template, owner, parameters: { disk: '10', region: 'eu', gone: 'x' } });
    await prisma.workspaceBuild.update({ where: { id: made.build.id }, data: { templateVersionId: old.id } });
    const { build, job } = await make.build({
      workspace: made.workspace,
      templateVersionId: fresh.id,
      status: 'failed',
      parameters: { disk: '20', region: 'eu' },
    });
    for (const [level, output] of [
      ['info', 'planning'],
      ['error', 'no space left'],
      ['error', 'giving up'],
    ] as const) {
      await prisma.provisionerJobLog.create({ data: { jobId: job.id, source: 'provisioner', level, stage: 'apply', output } });
    }
    return { build, old, fresh };
  }

  test('its first error with its line, and what changed since the last green build, without any value', async () => {
    const { build, old, fresh } = await givenFailed();
    const answer = await why(build);
    expect(answer).toMatchObject({
      kind: 'failed',
      action: 'fix_parameters',
      waiting: null,
      failed: {
        error: 'it broke',
        stage: 'apply',
        first_error: { stage: 'apply', output: 'no space left' },
        changed: {
          since_build_number: 1,
          version: { from_id: old.id, from_name: 'old', to_id: fresh.id, to_name: 'fresh' },
          parameters: ['disk', 'gone'],
          state_replaced: false,
        },
      },
    });
    const line = await callAsUser(owner.id).builds.logs({
      workspacebuild: build.id,
      after: String((answer.failed?.first_error?.log_id ?? 0) - 1),
    });
    expect(line[0]?.output).toBe('no space left');
  });

  test('a job that provisioners lost is worth another try', async () => {
    const { build, job } = await make.workspace({ template, owner, status: 'failed' });
    await prisma.provisionerJobLog.create({
      data: { jobId: job.id, source: 'provisioner_daemon', level: 'error', stage: 'Provisioner', output: 'lost' },
    });
    expect(await why(build)).toMatchObject({ action: 'retry', failed: { stage: '', changed: null } });
  });
});

test('it takes one statement, and tells nobody who may not read the workspace', async () => {
  const { build } = await givenWaiting(5);
  await why(build);
  const admin = callAsUser(owner.id);
  const reading = await countStatements(() => admin.builds.get({ workspacebuild: build.id }));
  expect(await countStatements(() => why(build))).toBe(reading);
  const stranger = await make.user({ memberOf: [organization.id] });
  await expect(callAsUser(stranger.id).builds.why({ workspacebuild: build.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
