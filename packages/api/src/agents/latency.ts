import { Prisma } from '@berth/db';
import type { Tunnel } from '@berth/protocol/tunnel';
import { z } from 'zod';
import { workspaceChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';
import { instantSql } from '../kernel/wire-sql.ts';

/** How often one tunnel is measured, and how often that is kept for the insights. */
const MEASURE_MS = 60_000;
const KEEP_MS = 5 * 60_000;
const ANSWER_MS = 5000;
/** Pings under way at a time. */
const AT_ONCE = 50;
/** Measurements that one half hour of one owner and template keeps: six of an agent, so this is for very many agents. */
const KEPT_MAX = 240;
const FORGET_AFTER_DAYS = 180;
const FORGET_AT_ONCE = 5000;

interface Measured {
  readonly agentId: string;
  readonly ms: number;
  /** Whether the insights get it. */
  readonly isKept: boolean;
}

/** When a tunnel was measured, and kept, last. */
const turns = new WeakMap<Tunnel, { measuredAt: number; keptAt: number }>();

/**
 * Measures the round trip to the agents whose tunnels this replica holds: each soon after it connected, then once a minute. What changed
 * is written on the agents' rows, for all replicas, by one statement; every five minutes it is kept for the insights. Answers how many
 * were measured; an agent that does not answer is left to its tunnel's own care.
 */
export async function measureLatencies(services: Services, signal: AbortSignal): Promise<number> {
  const now = services.clock.now().getTime();
  const due = services.tunnels.held().filter(([, tunnel]) => now - (turns.get(tunnel)?.measuredAt ?? 0) >= MEASURE_MS);
  const measured: Measured[] = [];
  for (let from = 0; from < due.length && !signal.aborted; from += AT_ONCE) {
    const some = await Promise.all(due.slice(from, from + AT_ONCE).map(([agentId, tunnel]) => measure(agentId, tunnel, now)));
    measured.push(...some.filter((one) => one !== null));
  }
  if (measured.length > 0) await write(services, measured);
  return measured.length;
}

async function measure(agentId: string, tunnel: Tunnel, now: number): Promise<Measured | null> {
  const keptAt = turns.get(tunnel)?.keptAt ?? 0;
  turns.set(tunnel, { measuredAt: now, keptAt });
  const ms = await answerTo(tunnel);
  if (ms === null) return null;
  const isKept = now - keptAt >= KEEP_MS;
  if (isKept) turns.set(tunnel, { measuredAt: now, keptAt: now });
  return { agentId, ms: Math.round(ms * 1000) / 1000, isKept };
}

async function answerTo(tunnel: Tunnel): Promise<number | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ANSWER_MS);
  });
  try {
    // A tunnel that closes meanwhile has no latency.
    return await Promise.race([tunnel.ping().catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}

const First = z.array(z.object({ workspaceId: z.string(), ownerId: z.string() }));

async function write({ prisma, bus, clock, settings }: Services, measured: readonly Measured[]): Promise<void> {
  // In one order on all servers, so that they wait for each other instead of standing in each other's way.
  const rows = measured.toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
  const first = await prisma.$queryRaw(Prisma.sql`
    WITH measured AS (
      SELECT m.*, a.latency_ms AS earlier, w.id AS workspace_id, w.owner_id, w.template_id
      FROM unnest(${rows.map(({ agentId }) => agentId)}::uuid[], ${rows.map(({ ms }) => ms)}::real[],
        ${rows.map(({ isKept }) => isKept)}::bool[]) AS m(agent_id, ms, is_kept)
      JOIN workspace_agents a ON a.id = m.agent_id AND a.replica_id = ${settings.replica.id}::uuid
      JOIN workspace_resources r ON r.id = a.resource_id
      JOIN workspace_builds b ON b.job_id = r.job_id
      JOIN workspaces w ON w.id = b.workspace_id
    ), shown AS (
      -- What changes by less nobody would see.
      UPDATE workspace_agents a SET latency_ms = m.ms FROM measured m
      WHERE a.id = m.agent_id AND (m.earlier IS NULL OR abs(m.earlier - m.ms) > GREATEST(1, m.earlier / 10))
    ), kept AS (
      INSERT INTO template_latency_buckets AS bucket (start_time, template_id, user_id, latencies)
      SELECT date_bin('30 minutes', ${instantSql(clock.now())}, 'epoch'::timestamptz), template_id, owner_id, (array_agg(ms))[1:${KEPT_MAX}::int]
      FROM measured WHERE is_kept GROUP BY template_id, owner_id ORDER BY template_id, owner_id
      ON CONFLICT (start_time, template_id, user_id) DO UPDATE SET latencies = bucket.latencies || excluded.latencies
        WHERE cardinality(bucket.latencies) < ${KEPT_MAX}::int
    )
    SELECT DISTINCT workspace_id AS "workspaceId", owner_id AS "ownerId" FROM measured WHERE earlier IS NULL`);
  // Those who watch saw the agent connect before there was anything to measure.
  const events = First.parse(first).map(({ workspaceId, ownerId }) => ({ workspace_id: workspaceId, owner_id: ownerId, kind: 'agent' }));
  await bus.publishAll(prisma, workspaceChannel, events);
}

/** Forgets what was kept for the insights more than half a year ago. True when there is more to forget. */
export async function forgetOldLatencies({ prisma, clock }: Services): Promise<boolean> {
  const before = instantSql(new Date(clock.now().getTime() - FORGET_AFTER_DAYS * 24 * 3_600_000));
  const forgotten = await prisma.$executeRaw(Prisma.sql`
    DELETE FROM template_latency_buckets WHERE (start_time, template_id, user_id) IN (
      SELECT start_time, template_id, user_id FROM template_latency_buckets WHERE start_time < ${before} LIMIT ${FORGET_AT_ONCE})`);
  return forgotten === FORGET_AT_ONCE;
}
