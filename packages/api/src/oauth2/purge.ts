import type { Services } from '../kernel/context.ts';

const BATCH = 1000;

/**
 * Deletes codes, device codes and refresh tokens that expired an hour ago; true when there may be more. Used ones stay that long, too, so
 * that a second use is known as one.
 */
export async function purgeExpiredGrants(services: Services): Promise<boolean> {
  const before = new Date(services.clock.now().getTime() - 60 * 60 * 1000);
  const deleted = [
    await services.prisma.$executeRaw`
      DELETE FROM oauth2_provider_codes WHERE id IN (SELECT id FROM oauth2_provider_codes WHERE expires_at < ${before} LIMIT ${BATCH})`,
    await services.prisma.$executeRaw`
      DELETE FROM oauth2_provider_device_codes
      WHERE id IN (SELECT id FROM oauth2_provider_device_codes WHERE expires_at < ${before} LIMIT ${BATCH})`,
    await services.prisma.$executeRaw`
      DELETE FROM oauth2_provider_tokens WHERE id IN (SELECT id FROM oauth2_provider_tokens WHERE expires_at < ${before} LIMIT ${BATCH})`,
  ];
  return deleted.some((count) => count === BATCH);
}
