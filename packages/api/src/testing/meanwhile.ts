import type { PrismaClient, Tx } from '@berth/db';
import { expect } from 'vitest';

/**
 * For two changes that meet half way. Begins `work` while another transaction holds the user's row, makes `change` there once `work`
 * waits (or is over, having passed by without waiting), commits it, and answers how `work` ended.
 */
export async function meanwhile<T>(
  prisma: PrismaClient,
  userId: string,
  { work, change }: { readonly work: () => Promise<T>; readonly change: (db: Tx) => Promise<unknown> },
): Promise<PromiseSettledResult<T>> {
  const { result } = await prisma.$transaction(async (db) => {
    await db.$executeRaw`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR UPDATE`;
    let isOver = false;
    const result = Promise.allSettled([work().finally(() => (isOver = true))]);
    await expect.poll(async () => isOver || (await isSomebodyWaiting(prisma)), { interval: 5, timeout: 5000 }).toBe(true);
    await change(db);
    return { result };
  });
  const [outcome] = await result;
  return outcome;
}

async function isSomebodyWaiting(prisma: PrismaClient): Promise<boolean> {
  const rows = await prisma.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return rows.length > 0;
}
