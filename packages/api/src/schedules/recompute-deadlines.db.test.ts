import type { Prisma } from '@berth/db';
import { expect, test } from 'vitest';
import { recomputeDeadlines } from './recompute-deadlines.ts';
import { DAY_MS, HOUR_MS, createTestSchedules } from './test-schedules.ts';

const { prisma, make, clock, services, givenScheduled, countStatements } = await createTestSchedules();

const EVERY_DAY = 0b111_1111;
const buildOf = (id: string) =>
  prisma.workspaceBuild.findUniqueOrThrow({ where: { id }, select: { deadline: true, deadlineRule: true, maxDeadline: true } });
const recompute = async (templateId: string, data: Prisma.TemplateUncheckedUpdateInput) => {
  await prisma.template.update({ where: { id: templateId }, data });
  return prisma.$transaction((db) => recomputeDeadlines(db, services, templateId));
};
const inHours = (hours: number): Date => new Date(clock.now().getTime() + hours * HOUR_MS);

test('a new requirement reaches what runs, by the quiet hours of each owner, and nothing else', async () => {
  const running = await givenScheduled({ transition: 'start', deadline: inHours(20) });
  const ofTemplate = { template: running.template };
  const early = await make.workspace(ofTemplate);
  await prisma.user.update({ where: { id: early.owner.id }, data: { quietHoursSchedule: 'CRON_TZ=Asia/Tokyo 0 0 * * *' } });
  await prisma.provisionerJob.update({ where: { id: early.job.id }, data: { completedAt: clock.now() } });
  const stopped = await make.workspace({ ...ofTemplate, transition: 'stop' });
  const failed = await make.workspace({ ...ofTemplate, status: 'failed' });
  const other = await givenScheduled({ transition: 'start', deadline: inHours(20) });

  expect(await recompute(running.template.id, { autostopDaysOfWeek: EVERY_DAY })).toBe(2);
  const midnight = new Date('2027-01-14T00:00:00Z');
  expect(await buildOf(running.build.id)).toEqual({ deadline: midnight, deadlineRule: 'autostop_requirement', maxDeadline: midnight });
  const inTokyo = new Date('2027-01-13T15:00:00Z');
  expect(await buildOf(early.build.id)).toEqual({ deadline: inTokyo, deadlineRule: 'autostop_requirement', maxDeadline: inTokyo });
  for (const { build } of [stopped, failed]) expect(await buildOf(build.id)).toMatchObject({ deadline: null, maxDeadline: null });
  expect(await buildOf(other.build.id)).toMatchObject({ deadline: inHours(20), maxDeadline: null });
});

test('the same requirement again moves nothing, and none gives back what it took', async () => {
  const { template, build } = await givenScheduled({ transition: 'start', workspace: { ttlMs: 5 * DAY_MS } });
  expect(await recompute(template.id, { autostopDaysOfWeek: EVERY_DAY })).toBe(1);
  expect(await recompute(template.id, { autostopDaysOfWeek: EVERY_DAY })).toBe(0);
  expect(await recompute(template.id, { autostopDaysOfWeek: 0 })).toBe(1);
  expect(await buildOf(build.id)).toEqual({ deadline: inHours(5 * 24), deadlineRule: 'ttl', maxDeadline: null });
});

test('watchers of the workspace hear of it', async () => {
  const { template, workspace } = await givenScheduled({ transition: 'start' });
  const heard = await prisma.$transaction(async (db) => {
    const news: unknown[] = [];
    const publishAll = <T>(_db: unknown, _channel: unknown, items: readonly T[]) => Promise.resolve(void news.push(...items));
    const bus = { ...services.bus, publishAll };
    await db.template.update({ where: { id: template.id }, data: { autostopDaysOfWeek: EVERY_DAY } });
    await recomputeDeadlines(db, { ...services, bus }, template.id);
    return news;
  });
  expect(heard).toMatchObject([{ workspace_id: workspace.id, kind: 'deadline' }]);
});

test('a template with many workspaces costs no more statements than one with few', async () => {
  const { template } = await givenScheduled({ transition: 'start' });
  await prisma.template.update({ where: { id: template.id }, data: { autostopDaysOfWeek: EVERY_DAY } });
  const change = () => countStatements(() => prisma.$transaction((db) => recomputeDeadlines(db, services, template.id)));
  const forOne = await change();
  for (let index = 0; index < 3; index += 1) await make.workspace({ template });
  expect(await change()).toBe(forOne);
});
