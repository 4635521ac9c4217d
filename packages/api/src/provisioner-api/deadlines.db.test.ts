import type { Prisma } from '@berth/db';
import { expect, test } from 'vitest';
import { createTestProvisioner } from './test-provisioner.ts';

const { prisma, clock, api, givenDaemon, givenWaitingBuild, acquired, organizationId, make } = await createTestProvisioner();

const HOUR_MS = 3_600_000;
const goTo = (instant: string): void => clock.advance(new Date(instant).getTime() - clock.now().getTime());

/** The build of a workspace that starts successfully on a Wednesday noon. */
async function started(
  template: Prisma.TemplateUncheckedUpdateInput,
  workspace: { ttlMs?: bigint; autostartSchedule?: string } = {},
  own = '',
) {
  const made = await givenWaitingBuild('start', workspace);
  await prisma.template.update({ where: { id: made.template.id }, data: template });
  await prisma.user.update({ where: { id: made.owner.id }, data: { quietHoursSchedule: own } });
  goTo('2027-01-13T12:00:00Z');
  const { lease } = await acquired(await givenDaemon());
  await api().completeBuild({ ...lease, state: '', timings: [] });
  return prisma.workspaceBuild.findUniqueOrThrow({
    where: { id: made.build.id },
    select: { deadline: true, deadlineRule: true, maxDeadline: true },
  });
}
const at = (instant: string): Date => new Date(instant);
const EVERY_DAY = 0b111_1111;

test('a start without rules runs for as long as it likes', async () => {
  expect(await started({})).toEqual({ deadline: null, deadlineRule: '', maxDeadline: null });
});

test('a start keeps its deadline with the rule that made it', async () => {
  expect(await started({ defaultTtlMs: 2 * HOUR_MS }, { ttlMs: BigInt(HOUR_MS) })).toEqual({
    deadline: at('2027-01-13T13:00:00Z'),
    deadlineRule: 'ttl',
    maxDeadline: null,
  });
  const decided = { defaultTtlMs: 2 * HOUR_MS, allowUserAutostop: false };
  expect(await started(decided, { ttlMs: BigInt(HOUR_MS) })).toMatchObject({
    deadline: at('2027-01-13T14:00:00Z'),
    deadlineRule: 'template_ttl',
  });
});

test('a start that would be stopped after its next autostart lives as long as that one', async () => {
  const workspace = { ttlMs: BigInt(24 * HOUR_MS), autostartSchedule: '0 9 * * *' };
  expect(await started({}, workspace)).toMatchObject({ deadline: at('2027-01-15T09:00:00Z'), deadlineRule: 'autostart' });
  expect(await started({ allowUserAutostart: false }, workspace)).toMatchObject({
    deadline: at('2027-01-14T12:00:00Z'),
    deadlineRule: 'ttl',
  });
});

test('a start must stop at the quiet hours of its owner, or of the deployment', async () => {
  const midnight = at('2027-01-14T00:00:00Z');
  const required = { autostopDaysOfWeek: EVERY_DAY };
  expect(await started(required)).toEqual({ deadline: midnight, deadlineRule: 'autostop_requirement', maxDeadline: midnight });
  expect(await started(required, { ttlMs: BigInt(HOUR_MS) })).toEqual({
    deadline: at('2027-01-13T13:00:00Z'),
    deadlineRule: 'ttl',
    maxDeadline: midnight,
  });
  expect(await started(required, {}, 'CRON_TZ=America/New_York 0 22 * * *')).toMatchObject({ maxDeadline: at('2027-01-14T03:00:00Z') });
});

test('a start that completes while its template changes gets the deadline of the changed template', async () => {
  const made = await givenWaitingBuild('start', { ttlMs: BigInt(HOUR_MS) });
  goTo('2027-01-13T12:00:00Z');
  const { lease } = await acquired(await givenDaemon());
  const changed = Promise.withResolvers<void>();
  const change = prisma.$transaction(async (db) => {
    await db.$queryRaw`SELECT 1 FROM templates WHERE id = ${made.template.id}::uuid FOR UPDATE`;
    await db.template.update({ where: { id: made.template.id }, data: { autostopDaysOfWeek: EVERY_DAY } });
    await changed.promise;
  });
  const completed = api().completeBuild({ ...lease, state: '', timings: [] });
  await expect.poll(() => waiting(), { timeout: 3000 }).toBeGreaterThan(0);
  changed.resolve();
  await Promise.all([change, completed]);
  const build = await prisma.workspaceBuild.findUniqueOrThrow({ where: { id: made.build.id } });
  expect(build.maxDeadline).toEqual(at('2027-01-14T00:00:00Z'));
});

/** Statements of this database that wait for a lock. */
async function waiting(): Promise<number> {
  const [row] = await prisma.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return Number(row?.count ?? 0);
}

test.each(['stop', 'delete'] as const)('a %s has no deadline', async (transition) => {
  const organization = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId() } });
  const { template } = await make.template({ organization, defaultTtlMs: BigInt(HOUR_MS), autostopDaysOfWeek: EVERY_DAY });
  const { build } = await make.workspace({ template, transition, status: 'pending', ttlMs: BigInt(HOUR_MS) });
  const { lease } = await acquired(await givenDaemon());
  await api().completeBuild({ ...lease, state: '', timings: [] });
  expect(await prisma.workspaceBuild.findUniqueOrThrow({ where: { id: build.id } })).toMatchObject({
    deadline: null,
    deadlineRule: '',
    maxDeadline: null,
  });
});
