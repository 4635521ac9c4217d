import { Prisma } from '@berth/db';
import { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { UserActivityInsightsResponse, UserLatencyInsightsResponse } from './contract.ts';
import type { InsightsInput } from './contract.ts';
import { readPeriod } from './period.ts';
import { seenTemplates } from './seen-templates.ts';
import { allPlacesSql, placesSql, withinPeriod } from './usage-sql.ts';

const USERS_MAX = 1000;

const Rows = z.array(z.object({ template_ids: z.unknown(), users: z.unknown() })).length(1);

/** How long each person used workspaces in a period. A minute counts once, by however many apps; no half hour has more than thirty. */
export async function userActivity(call: UserCall, input: InsightsInput): Promise<UserActivityInsightsResponse> {
  const period = readPeriod(input, call.services.clock.now());
  const templates = await seenTemplates(call, input.template_ids);
  const rows = await call.db.$queryRaw(Prisma.sql`
    WITH used AS (
      SELECT start_time, template_id, user_id, max(minutes) AS minutes
      FROM template_usage_buckets WHERE ${withinPeriod(period)} AND ${templates(Prisma.sql`template_id`)}
      GROUP BY 1, 2, 3
    ), half_hours AS (
      SELECT user_id, LEAST(30, sum(minutes)) AS minutes FROM used GROUP BY start_time, user_id
    ), people AS (
      SELECT user_id, sum(minutes)::int * 60 AS seconds FROM half_hours GROUP BY user_id
    ), ${placesSql(Prisma.sql`user_id`, Prisma.sql`used`)}, shown AS (
      SELECT people.user_id, people.seconds, places.template_ids, u.username, u.avatar_url
      FROM people JOIN places USING (user_id) JOIN users u ON u.id = people.user_id
      ORDER BY people.seconds DESC, u.username LIMIT ${USERS_MAX}
    )
    SELECT ${allPlacesSql(Prisma.sql`used`)} AS template_ids,
      coalesce(json_agg(to_json(shown) ORDER BY seconds DESC, username), '[]'::json) AS users FROM shown`);
  return UserActivityInsightsResponse.parse(respond(input, rows));
}

/** How long round trips between the server and each person's workspaces took in a period: of what was measured while they were connected. */
export async function userLatency(call: UserCall, input: InsightsInput): Promise<UserLatencyInsightsResponse> {
  const period = readPeriod(input, call.services.clock.now());
  const templates = await seenTemplates(call, input.template_ids);
  const rows = await call.db.$queryRaw(Prisma.sql`
    WITH measured AS (
      SELECT template_id, user_id, latencies
      FROM template_latency_buckets WHERE ${withinPeriod(period)} AND ${templates(Prisma.sql`template_id`)}
    ), people AS (
      SELECT user_id, percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY latency)::numeric(12, 3)[] AS percentiles
      FROM measured CROSS JOIN LATERAL unnest(latencies) AS latency GROUP BY user_id
    ), ${placesSql(Prisma.sql`user_id`, Prisma.sql`measured`)}, shown AS (
      SELECT people.user_id, places.template_ids, u.username, u.avatar_url, percentiles[1] AS p50,
        json_build_object('p50', percentiles[1], 'p95', percentiles[2]) AS latency_ms
      FROM people JOIN places USING (user_id) JOIN users u ON u.id = people.user_id
      ORDER BY p50 DESC, u.username LIMIT ${USERS_MAX}
    )
    SELECT ${allPlacesSql(Prisma.sql`measured`)} AS template_ids,
      coalesce(json_agg(to_json(shown) ORDER BY p50 DESC, username), '[]'::json) AS users FROM shown`);
  return UserLatencyInsightsResponse.parse(respond(input, rows));
}

function respond({ start_time, end_time }: InsightsInput, rows: unknown): object {
  return { report: { start_time, end_time, ...Rows.parse(rows)[0] } };
}
