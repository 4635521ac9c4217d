import { Prisma } from '@berth/db';
import { expect, test } from 'vitest';
import { jobStatusSql, requestCancel } from '../provisioner-jobs/index.ts';
import { LEASE_SECONDS, MAX_ATTEMPTS } from '../provisioner-jobs/lease.ts';
import { reapLostJobs } from '../provisioner-jobs/reap.ts';
import { createTestProvisioner } from './test-provisioner.ts';

const { make, prisma, services, clock, api, callAsUser, givenDaemon, givenWaitingBuild, acquired } = await createTestProvisioner();

/** Says whether the workspace runs, after a look that this is what its latest build and that build's job say. */
async function isRunning(workspaceId: string): Promise<boolean> {
  const [row] = await prisma.$queryRaw<{ kept: boolean; derived: boolean }[]>(Prisma.sql`
    SELECT w.is_running AS kept, b.transition = 'start' AND ${jobStatusSql('j')} = 'succeeded' AS derived
    FROM workspaces w JOIN workspace_builds b ON b.id = w.latest_build_id JOIN provisioner_jobs j ON j.id = b.job_id
    WHERE w.id = ${workspaceId}::uuid`);
  expect(row?.kept).toBe(row?.derived);
  return row?.kept === true;
}

const done = { state: '', timings: [] };
const broken = { error: 'it broke', error_code: '' as const, canceled: false };
const stopped = { error: '', error_code: '' as const, canceled: true };

for (const transition of ['start', 'stop', 'delete'] as const) {
  test(`a ${transition} that succeeded ${transition === 'start' ? 'runs' : 'does not run'}`, async () => {
    const { workspace } = await givenWaitingBuild(transition);
    expect(await isRunning(workspace.id)).toBe(false);
    const { lease } = await acquired(await givenDaemon());
    expect(await isRunning(workspace.id)).toBe(false);
    await api().completeBuild({ ...lease, ...done });
    expect(await isRunning(workspace.id)).toBe(transition === 'start');
  });
}

test('a start that failed, was canceled or was lost does not run', async () => {
  const failed = await givenWaitingBuild('start');
  await api().failJob({ ...(await acquired(await givenDaemon())).lease, ...broken });
  const canceled = await givenWaitingBuild('start');
  const lease = (await acquired(await givenDaemon())).lease;
  await requestCancel({ db: prisma, services }, canceled.job.id);
  await api().failJob({ ...lease, ...stopped });
  const late = await givenWaitingBuild('start');
  const lateLease = (await acquired(await givenDaemon())).lease;
  await requestCancel({ db: prisma, services }, late.job.id);
  await api().completeBuild({ ...lateLease, ...done });
  const unwanted = await givenWaitingBuild('start');
  await requestCancel({ db: prisma, services }, unwanted.job.id);
  const lost = await givenWaitingBuild('start');
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    await acquired(await givenDaemon(`daemon-${attempt}`));
    clock.advance(LEASE_SECONDS * 1000 + 1);
    await reapLostJobs(services);
  }
  for (const { workspace } of [failed, canceled, late, unwanted, lost]) expect(await isRunning(workspace.id)).toBe(false);
});

test('a workspace that ran no longer does when its next build is queued, and runs again when that is a start', async () => {
  const { workspace, owner } = await givenWaitingBuild('start');
  await api().completeBuild({ ...(await acquired(await givenDaemon())).lease, ...done });
  await callAsUser(owner.id).builds.create({ workspace: workspace.id, transition: 'start' });
  expect(await isRunning(workspace.id)).toBe(false);
  await api().completeBuild({ ...(await acquired(await givenDaemon())).lease, ...done });
  expect(await isRunning(workspace.id)).toBe(true);
});

test('workspaces that tests are given agree with their builds', async () => {
  for (const transition of ['start', 'stop', 'delete'] as const) {
    for (const status of ['pending', 'running', 'succeeded', 'canceling', 'canceled', 'failed'] as const) {
      const { workspace } = await make.workspace({ transition, status });
      expect(await isRunning(workspace.id)).toBe(transition === 'start' && status === 'succeeded');
    }
  }
});
