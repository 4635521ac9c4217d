import { NIL_UUID } from '@berth/core';
import { expect, test } from 'vitest';
import { attendWorkspace } from './attend-workspace.ts';
import type { DuePage } from './due-workspaces.ts';
import { SOURCES, readDuePage } from './due-workspaces.ts';
import { runSchedules } from './run-schedules.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, createTestSchedules } from './test-schedules.ts';

const { prisma, clock, services, goTo, givenScheduled, rowOf, buildsOf, callAsUser, countStatements, run } = await createTestSchedules();

const AUTOSTART = { workspace: { autostartSchedule: '0 13 * * *' } };
const due = (): void => goTo('2027-01-13T13:00:00Z');

test('several servers at once make one build of each workspace', async () => {
  const workspaces = [];
  for (let index = 0; index < 12; index += 1) workspaces.push((await givenScheduled(AUTOSTART)).workspace);
  due();
  const turns = await Promise.all([run(), run(), run()]);
  expect(turns.reduce((sum, { done }) => sum + done, 0)).toBe(12);
  expect(turns.every(({ failed, refused }) => failed + refused === 0)).toBe(true);
  for (const { id } of workspaces) expect(await buildsOf(id)).toHaveLength(1);
});

test('several servers at once put a workspace to sleep once', async () => {
  const { workspace } = await givenScheduled({ transition: 'start', template: { timeTilDormantMs: HOUR_MS } });
  clock.advance(HOUR_MS);
  await Promise.all([run(), run(), run()]);
  expect(await buildsOf(workspace.id)).toHaveLength(1);
  expect(await prisma.auditLog.count({ where: { resourceId: workspace.id } })).toBe(1);
});

test('what is refused is tried once a minute by all servers together', async () => {
  const { owner, organization, workspace } = await givenScheduled(AUTOSTART);
  await prisma.organizationMember.deleteMany({ where: { userId: owner.id, organizationId: organization.id } });
  due();
  const turns = await Promise.all([run(), run(), run()]);
  expect(turns.reduce((sum, { refused }) => sum + refused, 0)).toBe(1);
  clock.advance(MINUTE_MS / 2);
  expect(await run()).toMatchObject({ refused: 0 });
  clock.advance(MINUTE_MS / 2);
  expect(await run()).toMatchObject({ refused: 1 });
  expect(await prisma.auditLog.count({ where: { resourceId: workspace.id } })).toBe(1);
});

test('a build that a person asks for at the same moment and the one of the schedule are never both made', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { workspace, owner } = await givenScheduled({ transition: 'start', deadline: clock.now() });
    const [turn, asked] = await Promise.allSettled([
      run(),
      callAsUser(owner.id).builds.create({ workspace: workspace.id, transition: 'stop' }),
    ]);
    expect(turn.status).toBe('fulfilled');
    const builds = await buildsOf(workspace.id);
    expect(builds).toHaveLength(1);
    expect(builds[0]?.reason).toBe(asked.status === 'fulfilled' ? 'initiator' : 'autostop');
  }
});

test('a workspace that somebody holds is left for the next turn, and others are not kept waiting', async () => {
  const held = await givenScheduled({ transition: 'start', deadline: clock.now() });
  const other = await givenScheduled({ transition: 'start', deadline: clock.now() });
  await prisma.$transaction(async (db) => {
    await db.$queryRaw`SELECT 1 FROM workspaces WHERE id = ${held.workspace.id}::uuid FOR UPDATE`;
    expect(await run()).toMatchObject({ done: 1 });
  });
  expect(await buildsOf(held.workspace.id)).toEqual([]);
  expect(await buildsOf(other.workspace.id)).toHaveLength(1);
  expect(await run()).toMatchObject({ done: 1 });
});

test('a workspace that breaks the rules of the database fails alone and is logged', async () => {
  const broken = await givenScheduled({ transition: 'start', deadline: clock.now() });
  const other = await givenScheduled({ transition: 'start', deadline: clock.now() });
  const errors: object[] = [];
  const bus: typeof services.bus = {
    ...services.bus,
    publish: (db, channel, payload) => {
      const isBroken = 'workspace_id' in Object(payload) && JSON.stringify(payload).includes(broken.workspace.id);
      return isBroken ? Promise.reject(new Error('broken')) : services.bus.publish(db, channel, payload);
    },
  };
  const log = { ...services.log, error: (facts: object) => void errors.push(facts) };
  expect(await runSchedules({ ...services, bus, log })).toMatchObject({ done: 1, failed: 1 });
  expect(errors).toMatchObject([{ workspace_id: broken.workspace.id }]);
  expect(await buildsOf(broken.workspace.id)).toEqual([]);
  expect(await buildsOf(other.workspace.id)).toHaveLength(1);
});

test('a turn asks two statements however many workspaces wait, and the same few for each that is due', async () => {
  const notYet = { transition: 'start', deadline: new Date(clock.now().getTime() + DAY_MS) } as const;
  for (let index = 0; index < 8; index += 1) await givenScheduled(index % 2 === 0 ? AUTOSTART : notYet);
  // What a new connection asks for itself is not counted.
  const counted = async (work: () => Promise<unknown>) => {
    await prisma.$queryRaw`SELECT 1`;
    return countStatements(work);
  };
  expect(await counted(run)).toBe(2);
  const due = [];
  for (let index = 0; index < 3; index += 1) due.push((await givenScheduled({ transition: 'start', deadline: clock.now() })).workspace);
  const counts = [];
  for (const { id } of due) counts.push(await counted(() => attendWorkspace(services, id)));
  expect(new Set(counts).size).toBe(1);
  expect(counts[0]).toBeLessThan(40);
  for (const { id } of due) expect(await buildsOf(id)).toHaveLength(1);
});

test('pages together hold each workspace that something may happen to once, in the order of ids', async () => {
  const made = [];
  for (let index = 0; index < 5; index += 1) made.push((await givenScheduled(AUTOSTART)).workspace.id);
  for (let index = 0; index < 4; index += 1) made.push((await givenScheduled({ transition: 'start', deadline: clock.now() })).workspace.id);
  due();
  const found = [];
  for (const source of SOURCES) {
    const ids = [];
    let afterId: string | null = NIL_UUID;
    while (afterId !== null) {
      const page: DuePage = await readDuePage(services, { source, afterId, limit: 2 });
      expect(page.examined).toBeLessThanOrEqual(2);
      ids.push(...page.dueIds);
      afterId = page.nextId;
    }
    expect(ids).toEqual(ids.toSorted());
    found.push(...ids);
  }
  expect(found.toSorted()).toEqual(made.toSorted());
});

test('a turn that is asked to stop makes no further build', async () => {
  const { workspace } = await givenScheduled({ transition: 'start', deadline: clock.now() });
  expect(await runSchedules(services, AbortSignal.abort())).toMatchObject({ examined: 0, done: 0 });
  expect(await buildsOf(workspace.id)).toEqual([]);
  expect(await rowOf(workspace.id)).toMatchObject({ scheduleTriedAt: null });
});
