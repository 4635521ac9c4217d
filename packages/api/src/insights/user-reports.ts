import { Prisma } from '@berth/db';
import { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { UserActivityInsightsResponse, UserLatencyInsightsResponse } from './contract.ts';
import type { InsightsInput } from './contract.ts';
import { readPeriod } from './period.ts';
import { seenTemplates } from './seen-templates.ts';
import { withinPeriod } from './usage-sql.ts';

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
      SELECT user_id, LEAST(30, sum(minutes)) AS minutes, array_agg(template_id) AS template_ids FROM used GROUP BY start_time, user_id
    ), people AS (
      SELECT user_id, sum(minutes)::int * 60 AS seconds FROM half_hours GROUP BY user_id
    ), shown AS (
      SELECT people.*, u.username, u.avatar_url,
        (SELECT json_agg(DISTINCT used.template_id) FROM used WHERE used.user_id = people.user_id) AS template_ids
      FROM people JOIN users u ON u.id = people.user_id ORDER BY people.seconds DESC, u.username LIMIT ${USERS_MAX}
    )
    SELECT (SELECT coalesce(json_agg(DISTINCT template_id), '[]'::json) FROM used) AS template_ids,
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
      SELECT user_id, json_agg(DISTINCT template_id) AS template_ids,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY latency) AS p50, percentile_cont(0.95) WITHIN GROUP (ORDER BY latency) AS p95
      FROM measured CROSS JOIN LATERAL unnest(latencies) AS latency GROUP BY user_id
    ), shown AS (
      SELECT people.user_id, people.template_ids, u.username, u.avatar_url, json_build_object('p50', p50, 'p95', p95) AS latency_ms, p50
      FROM people JOIN users u ON u.id = people.user_id ORDER BY p50 DESC, u.username LIMIT ${USERS_MAX}
    )
    SELECT (SELECT coalesce(json_agg(DISTINCT template_id), '[]'::json) FROM measured) AS template_ids,
      coalesce(json_agg(to_json(shown) ORDER BY p50 DESC, username), '[]'::json) AS users FROM shown`);
  return UserLatencyInsightsResponse.parse(respond(input, rows));
}

function respond({ start_time, end_time }: InsightsInput, rows: unknown): object {
  return { report: { start_time, end_time, ...Rows.parse(rows)[0] } };
}
