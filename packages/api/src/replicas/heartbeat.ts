import { Prisma } from '@berth/db';
import type { Services } from '../kernel/context.ts';
import { aliveReplicas } from './alive.ts';
import type { AliveReplica } from './alive.ts';

/** A replica that is gone is remembered this long, for whoever asks what happened. */
const FORGET_AFTER_HOURS = 1;
const PEER_TIMEOUT_MS = 3000;

/**
 * Writes that this process runs and can be asked for its tunnels; before its first agent connects. What stood at its address before must
 * be gone, whatever its row says; if it is not, its next sign of life says so.
 */
export async function registerReplica(services: Services): Promise<void> {
  await writeSign(services, { latencyMicros: await databaseLatency(services), error: '' });
  const { id, relayUrl } = services.settings.replica;
  await services.prisma.$executeRaw`
    UPDATE replicas SET stopped_at = now() WHERE relay_address = ${relayUrl} AND relay_address <> '' AND id <> ${id}::uuid AND stopped_at IS NULL`;
}

/**
 * One sign of life: how long the database takes to answer, what agents told, and which other replicas this one cannot reach. Replicas that have been gone for
 * an hour are forgotten.
 */
export async function beatReplica(services: Services): Promise<void> {
  const latencyMicros = await databaseLatency(services);
  await writeSign(services, { latencyMicros, error: null });
  const error = await peersProblem(services);
  await services.prisma.replica.updateMany({
    where: { id: services.settings.replica.id, NOT: { error } },
    data: { error },
  });
  await services.prisma.$executeRaw`DELETE FROM replicas WHERE updated_at < now() - make_interval(hours => ${FORGET_AFTER_HOURS})`;
}

/** This process ends: the others ask it no more, from now on. */
export async function stopReplica({ prisma, settings }: Services): Promise<void> {
  await prisma.$executeRaw`UPDATE replicas SET stopped_at = now(), updated_at = now() WHERE id = ${settings.replica.id}::uuid`;
}

async function databaseLatency({ prisma }: Services): Promise<number> {
  const startedAt = performance.now();
  await prisma.$queryRaw`SELECT 1`;
  return Math.round((performance.now() - startedAt) * 1000);
}

/** Makes the row anew when it was forgotten: after a long sleep of the machine, say. A null error stays what it was. */
async function writeSign(
  { prisma, traffic, settings: { replica, version } }: Services,
  { latencyMicros, error }: { readonly latencyMicros: number; readonly error: string | null },
): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    INSERT INTO replicas (id, hostname, relay_address, version, database_latency, traffic, error, created_at, updated_at)
    VALUES (${replica.id}::uuid, ${replica.hostname}, ${replica.relayUrl}, ${version}, ${latencyMicros}::int, ${JSON.stringify(traffic.totals())}::jsonb, COALESCE(${error}::text, ''), now(), now())
    ON CONFLICT (id) DO UPDATE SET updated_at = now(), database_latency = EXCLUDED.database_latency, traffic = EXCLUDED.traffic, stopped_at = NULL,
      error = COALESCE(${error}::text, replicas.error)`);
}

/** In a sentence, what keeps this replica and the others from reaching each other; empty when nothing does. */
async function peersProblem({ prisma, settings: { replica } }: Services): Promise<string> {
  const peers = (await aliveReplicas(prisma)).filter(({ id }) => id !== replica.id);
  if (peers.length === 0) return '';
  if (replica.relayUrl === '') return 'The other replicas cannot reach this one: it has no relay address.';
  const unreached = (await Promise.all(peers.map(async (peer) => ((await isReached(peer)) ? [] : [nameOf(peer)])))).flat();
  return unreached.length === 0 ? '' : `Not reached: ${unreached.join(', ')}.`;
}

async function isReached({ relayAddress }: AliveReplica): Promise<boolean> {
  if (relayAddress === '') return false;
  try {
    const answer = await fetch(`${relayAddress}/livez`, { redirect: 'error', signal: AbortSignal.timeout(PEER_TIMEOUT_MS) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

function nameOf({ hostname, relayAddress }: AliveReplica): string {
  return relayAddress === '' ? `${hostname} (no relay address)` : `${hostname} (${relayAddress})`;
}
