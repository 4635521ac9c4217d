import { Prisma } from '@berth/db';
import { z } from 'zod';
import type { UserCall } from '../../kernel/procedures.ts';
import { instantSql } from '../../kernel/wire-sql.ts';
import { findTemplate } from '../judged-template.ts';
import type { DAUsResponse, TemplateDausInput } from './contract.ts';

/** Days before today that one answer shows. */
const DAYS_BACK = 60;

const Entries = z.array(z.object({ date: z.string(), amount: z.int() }));

/** How many people used the template's workspaces on each of the last sixty days and today, as days go that far from UTC; zeros included. */
export async function templateDaus(call: UserCall, { template: id, tz_offset: offset }: TemplateDausInput): Promise<DAUsResponse> {
  const { object } = await findTemplate(call.db, id);
  call.authorize.require(object);
  return await dailyUsers(call, { templates: Prisma.sql`template_id = ${id}::uuid`, offset });
}

/** The same of all usage that `templates` selects. Says nothing about who may see it. */
export async function dailyUsers(
  call: Pick<UserCall, 'db' | 'services'>,
  { templates, offset }: { readonly templates: Prisma.Sql; readonly offset: number },
): Promise<DAUsResponse> {
  const hours = Prisma.sql`${offset}::int * interval '1 hour'`;
  const today = Prisma.sql`(${instantSql(call.services.clock.now())} AT TIME ZONE 'UTC' + ${hours})::date`;
  const entries = await call.db.$queryRaw`
    SELECT to_char(days.day, 'YYYY-MM-DD') AS date, coalesce(used.people, 0)::int AS amount
    FROM (SELECT ${today} - back AS day FROM generate_series(0, ${DAYS_BACK}::int) AS back) days
    LEFT JOIN (
      SELECT day, count(*) AS people FROM (
        SELECT DISTINCT (start_time AT TIME ZONE 'UTC' + ${hours})::date AS day, user_id
        FROM template_usage_buckets
        WHERE ${templates} AND start_time >= ((${today} - ${DAYS_BACK}::int)::timestamp - ${hours}) AT TIME ZONE 'UTC'
      ) of_day
      GROUP BY day
    ) used ON used.day = days.day
    ORDER BY days.day`;
  return { tz_hour_offset: offset, entries: Entries.parse(entries) };
}
