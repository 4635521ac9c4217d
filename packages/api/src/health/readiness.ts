import type { Services } from '../kernel/context.ts';
import { databaseUnavailable } from '../kernel/errors.ts';
import { checkDisk } from './disk.ts';
import { reasonOf, within } from './findings.ts';

const WRITE_TIMEOUT_MS = 5000;
/** Anybody may ask, so what was found is answered again for so long. */
const FRESH_MS = 2000;

/** Why a server cannot serve requests. The message names no folder: anybody may read it. */
export interface Unreadiness {
  readonly code: 'EDB03' | 'EDISK02';
  readonly message: string;
}

/** Writes to the database, to the row of this server process, and commits. Rejects when that fails or takes longer than five seconds. */
export async function requireWrites({ prisma, settings }: Pick<Services, 'prisma' | 'settings'>): Promise<void> {
  await within(WRITE_TIMEOUT_MS, prisma.$executeRaw`UPDATE replicas SET updated_at = now() WHERE id = ${settings.replica.id}::uuid`);
}

/** Why the database does not take a write, for people. */
export function writeProblem(error: unknown): string {
  return databaseUnavailable(error)?.message ?? `The database does not accept writes: ${reasonOf(error)}.`;
}

async function findProblem(services: Services): Promise<Unreadiness | null> {
  const { error } = await checkDisk(services);
  if (error !== '') return { code: 'EDISK02', message: 'The disk of the data folder is full.' };
  try {
    await requireWrites(services);
    return null;
  } catch (cause) {
    services.log.warn({ reason: reasonOf(cause) }, 'this server is not ready: the database does not accept writes');
    return { code: 'EDB03', message: databaseUnavailable(cause)?.message ?? 'The database does not accept writes.' };
  }
}

interface Checked {
  readonly at: number;
  readonly result: Promise<Unreadiness | null>;
}
const lastChecks = new WeakMap<Services, Checked>();

/** What keeps this server from serving requests; null when nothing does. One check at a time, at most one every two seconds. Never rejects. */
export async function checkReadiness(services: Services): Promise<Unreadiness | null> {
  const now = services.clock.now().getTime();
  const last = lastChecks.get(services);
  if (last !== undefined && now - last.at < FRESH_MS) return await last.result;
  const result = findProblem(services);
  lastChecks.set(services, { at: now, result });
  return await result;
}
