import { timestamp } from '@berth/core';
import { z } from 'zod';
import { route } from '../kernel/route.ts';

const UserPath = z.object({ user: z.string().min(1).max(64).meta({ description: 'A user id, a user name, or `me`.' }) });

export const QuietHours = z
  .object({
    raw_schedule: z.string().meta({ description: '`CRON_TZ=<IANA zone> minute hour * * *`.' }),
    user_set: z.boolean().meta({ description: 'False: the default of the deployment.' }),
    user_can_set: z.boolean().meta({ description: 'Whether this deployment lets users choose their own.' }),
    time: z.string().meta({ description: 'The time of day, as HH:MM.' }),
    timezone: z.string(),
    next: timestamp().meta({ description: 'When they begin next.' }),
  })
  .meta({
    id: 'UserQuietHoursScheduleResponse',
    description: 'The time of day at which a user’s workspaces may be stopped for maintenance.',
  });
export type QuietHours = z.output<typeof QuietHours>;

export const GetQuietHours = UserPath;

export const UpdateQuietHours = UserPath.extend({
  schedule: z.string().max(256).meta({
    description:
      'One time a day, `minute hour * * *`, with an optional `CRON_TZ=<IANA zone>` before it. Empty: back to the default of the deployment.',
  }),
}).meta({ id: 'UpdateUserQuietHoursScheduleRequest' });

export const routes = {
  get: route({
    method: 'GET',
    path: '/users/{user}/quiet-hours',
    tag: 'Enterprise',
    id: 'get-user-quiet-hours-schedule',
    summary: 'Get the quiet hours of a user',
    description: 'A list of exactly one.',
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: '/users/{user}/quiet-hours',
    tag: 'Enterprise',
    id: 'update-user-quiet-hours-schedule',
    summary: 'Set the quiet hours of a user',
    description: 'A list of exactly one. Deadlines that stand already do not move.',
    errors: ['forbidden', 'not_found'],
  }),
};
