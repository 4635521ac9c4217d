import { Prisma } from '@berth/db';
import { z } from 'zod';
import type { Services } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { instantSql } from '../kernel/wire-sql.ts';
import { jobStatusSql } from '../provisioner-jobs/status-sql.ts';
import { readTraffic } from '../replicas/index.ts';
import type { DeploymentStats } from './contract.ts';
import { WINDOW_MINUTES } from './traffic.ts';

const FRESH_MS = 30_000;
/** A half hour that has just begun knows little: then the one before counts, too. */
const LATENCY_MINUTES = 45;
const MINUTE_MS = 60_000;

const Counts = z.array(z.object({ pending: z.int(), building: z.int(), running: z.int(), failed: z.int(), stopped: z.int() })).length(1);
const Latencies = z.array(z.object({ p50: z.number().nullable(), p95: z.number().nullable() })).length(1);

interface Collected {
  readonly at: number;
  readonly stats: Promise<DeploymentStats>;
}

const collected = new WeakMap<Services, Collected>();

/** How many workspaces there are in which state, and how they are used now: by all servers together, at most thirty seconds old. */
export async function readDeploymentStats(call: UserCall): Promise<DeploymentStats> {
  call.authorize.require({ type: 'deployment_stats' }, { sitewide: true });
  const { services } = call;
  const now = services.clock.now().getTime();
  const known = collected.get(services);
  if (known !== undefined && now - known.at < FRESH_MS) return await known.stats;
  const stats = collect(services);
  collected.set(services, { at: now, stats });
  // A failure is not worth keeping.
  stats.catch(() => collected.delete(services));
  return await stats;
}

async function collect(services: Services): Promise<DeploymentStats> {
  const { prisma, clock } = services;
  const now = clock.now();
  const [counts, latencies, traffic] = await Promise.all([
    prisma.$queryRaw(Prisma.sql`
      WITH latest AS (
        SELECT b.transition, ${jobStatusSql('j')} AS status
        FROM workspaces w JOIN workspace_builds b ON b.id = w.latest_build_id JOIN provisioner_jobs j ON j.id = b.job_id
        WHERE NOT w.deleted
      )
      SELECT count(*) FILTER (WHERE status = 'pending')::int AS pending,
        count(*) FILTER (WHERE status IN ('running', 'canceling'))::int AS building,
        count(*) FILTER (WHERE status = 'succeeded' AND transition = 'start')::int AS running,
        count(*) FILTER (WHERE status IN ('failed', 'canceled'))::int AS failed,
        count(*) FILTER (WHERE status = 'succeeded' AND transition = 'stop')::int AS stopped
      FROM latest`),
    prisma.$queryRaw(Prisma.sql`
      SELECT round((percentile_cont(0.5) WITHIN GROUP (ORDER BY latency))::numeric, 3)::float8 AS p50,
        round((percentile_cont(0.95) WITHIN GROUP (ORDER BY latency))::numeric, 3)::float8 AS p95
      FROM template_latency_buckets, unnest(latencies) AS latency
      WHERE start_time > ${instantSql(new Date(now.getTime() - LATENCY_MINUTES * MINUTE_MS))}`),
    readTraffic(services),
  ]);
  const [workspaces] = Counts.parse(counts);
  const [latency] = Latencies.parse(latencies);
  if (workspaces === undefined) throw new Error('a count without a row');
  const { rx_bytes, tx_bytes, ...session_count } = traffic;
  return {
    aggregated_from: new Date(now.getTime() - WINDOW_MINUTES * MINUTE_MS).toISOString(),
    collected_at: now.toISOString(),
    next_update_at: new Date(now.getTime() + FRESH_MS).toISOString(),
    workspaces: { ...workspaces, connection_latency_ms: { p50: latency?.p50 ?? -1, p95: latency?.p95 ?? -1 }, rx_bytes, tx_bytes },
    session_count,
  };
}
