import { expect, test } from 'vitest';
import type { Daemon } from './test-provisioner.ts';
import { createTestProvisioner } from './test-provisioner.ts';

const { prisma, make, api, callAsUser, organizationId, givenDaemon, clock } = await createTestProvisioner();

const BUILDS = 50;
const DAEMONS = ['one', 'two', 'three'];

/** Takes and finishes jobs until `isOver`; answers their ids, and adds each to the `order` in which all daemons got theirs. */
async function work(daemon: Daemon, order: string[], isOver: () => boolean): Promise<string[]> {
  const taken: string[] = [];
  while (!isOver()) {
    const { job } = await api().acquireJob({ ...daemon, wait_ms: 200 });
    if (job === null) continue;
    taken.push(job.id);
    order.push(job.id);
    await api().heartbeat({ job_id: job.id, lease_token: job.lease_token, logs: [] });
    await api().completeBuild({ job_id: job.id, lease_token: job.lease_token, state: '', timings: [] });
  }
  return taken;
}

test('fifty builds that are queued at once on three daemons drain in order, with fair shares, each once', async () => {
  const organization = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId() } });
  const owner = await make.user({ memberOf: [organization.id] });
  const { template } = await make.template({ organization });
  const workspaces: string[] = [];
  for (let index = 0; index < BUILDS; index += 1) {
    const { workspace } = await make.workspace({ template, owner, transition: 'stop' });
    workspaces.push(workspace.id);
  }
  const daemons: Daemon[] = [];
  for (const name of DAEMONS) daemons.push(await givenDaemon(name));

  const queued: string[] = [];
  for (const workspace of workspaces) {
    clock.advance(1);
    queued.push((await callAsUser(owner.id).builds.create({ workspace, transition: 'start' })).job.id);
  }
  let done = 0;
  const order: string[] = [];
  const loops = Promise.all(daemons.map((daemon) => work(daemon, order, () => done === BUILDS)));
  const ended = () => prisma.provisionerJob.count({ where: { id: { in: queued }, completedAt: { not: null } } });
  await expect.poll(async () => (done = await ended()), { timeout: 60_000, interval: 50 }).toBe(BUILDS);
  const shares = await loops;

  expect(shares.flat().toSorted()).toEqual(queued.toSorted());
  // Each daemon takes what is oldest when it asks.
  for (const taken of shares) {
    const places = taken.map((id) => queued.indexOf(id));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  }
  // In order over all: no job is overtaken by more than the daemons have in their hands.
  for (const [index, id] of order.entries()) expect(Math.abs(queued.indexOf(id) - index)).toBeLessThan(2 * DAEMONS.length);
  for (const taken of shares) {
    expect(taken.length).toBeGreaterThanOrEqual(Math.floor(BUILDS / DAEMONS.length / 2));
    expect(taken.length).toBeLessThanOrEqual(Math.ceil((BUILDS / DAEMONS.length) * 1.5));
  }
  const rows = await prisma.provisionerJob.findMany({
    where: { id: { in: queued } },
    select: { attempt: true, error: true, canceledAt: true },
  });
  for (const row of rows) expect(row).toEqual({ attempt: 1, error: '', canceledAt: null });
}, 90_000);

test('daemons that ask at the same moment get the oldest jobs, each another one', async () => {
  const daemons: Daemon[] = [];
  for (const name of DAEMONS) daemons.push(await givenDaemon(name));
  const organization = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId() } });
  const { template } = await make.template({ organization });
  const jobs: string[] = [];
  for (let index = 0; index < 6; index += 1) {
    const { job } = await make.workspace({ template, status: 'pending' });
    await prisma.provisionerJob.update({ where: { id: job.id }, data: { createdAt: new Date(clock.now().getTime() - 60_000 + index) } });
    jobs.push(job.id);
  }
  for (const expected of [jobs.slice(0, 3), jobs.slice(3)]) {
    const got = await Promise.all(daemons.map((daemon) => api().acquireJob({ ...daemon, wait_ms: 0 })));
    expect(got.map(({ job }) => job?.id ?? '').toSorted()).toEqual(expected.toSorted());
  }
});
