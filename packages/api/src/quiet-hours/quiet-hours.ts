import { forbidden, invalidField, notFound } from '@berth/core';
import { effectiveQuietHours, nextQuietTime, quietHoursProblem } from '@berth/domain';
import { userObject } from '@berth/rbac';
import type { z } from 'zod';
import type { Services } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { requireCover, resolveUser } from '../users/index.ts';
import type { GetQuietHours, QuietHours, UpdateQuietHours } from './contract.ts';

/** When the quiet hours of a user begin: their own where the deployment lets them choose, else the deployment's. */
export async function getQuietHours(call: UserCall, input: z.output<typeof GetQuietHours>): Promise<QuietHours[]> {
  const user = await resolveUser(call, input.user);
  call.authorize.require(userObject(user.id));
  return [presentQuietHours(call.services, await loadOwnSchedule(call, user.id))];
}

/**
 * Sets the quiet hours of a user; an empty schedule goes back to those of the deployment. Deadlines that stand already do not move.
 *
 * @throws forbidden where users may not choose; invalid for anything but one time a day.
 */
export async function updateQuietHours(call: UserCall, input: z.output<typeof UpdateQuietHours>): Promise<QuietHours[]> {
  const { db, services } = call;
  const user = await resolveUser(call, input.user);
  call.audit.set({ resourceId: user.id, target: user.username });
  call.authorize.require(userObject(user.id));
  await requireCover(call, user.id);
  if (!services.settings.allowCustomQuietHours) throw forbidden('Users of this deployment cannot choose their own quiet hours.');
  const schedule = input.schedule.trim();
  const problem = schedule === '' ? null : quietHoursProblem(schedule);
  if (problem !== null) throw invalidField('schedule', problem);

  const before = await loadOwnSchedule(call, user.id);
  if (schedule === before) {
    call.audit.discard();
    return [presentQuietHours(services, before)];
  }
  await db.user.update({
    where: { id: user.id, deleted: false },
    data: { quietHoursSchedule: schedule, updatedAt: services.clock.now() },
    select: { id: true },
  });
  call.audit.update({ before: { quiet_hours_schedule: before }, after: { quiet_hours_schedule: schedule } });
  return [presentQuietHours(services, schedule)];
}

async function loadOwnSchedule({ db }: UserCall, userId: string): Promise<string> {
  const user = await db.user.findUnique({ where: { id: userId, deleted: false }, select: { quietHoursSchedule: true } });
  if (user === null) throw notFound();
  return user.quietHoursSchedule;
}

/** `schedule` is the user's own, empty for none. */
function presentQuietHours({ clock, settings }: Services, schedule: string): QuietHours {
  const own = settings.allowCustomQuietHours ? schedule : '';
  const quietHours = effectiveQuietHours({ own, deployment: settings.quietHoursDefault });
  const { cron, hour, minute } = quietHours;
  return {
    raw_schedule: `CRON_TZ=${cron.timezone} ${minute} ${hour} * * *`,
    user_set: own !== '',
    user_can_set: settings.allowCustomQuietHours,
    time: `${twoDigits(hour)}:${twoDigits(minute)}`,
    timezone: cron.timezone,
    next: nextQuietTime(quietHours, clock.now()).toISOString(),
  };
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
