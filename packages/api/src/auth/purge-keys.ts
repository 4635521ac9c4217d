import type { Services } from '../kernel/context.ts';

/** Expired keys are kept this long, so that a person finds them in the list and knows why a program stopped. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000;
const BATCH = 1000;

/** Deletes keys that expired a week ago; true when there may be more. */
export async function purgeExpiredKeys(services: Services): Promise<boolean> {
  const before = new Date(services.clock.now().getTime() - KEEP_MS);
  const deleted = await services.prisma.$executeRaw`
    DELETE FROM api_keys WHERE id IN (SELECT id FROM api_keys WHERE expires_at < ${before} LIMIT ${BATCH})`;
  return deleted === BATCH;
}
