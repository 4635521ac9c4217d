import type { Services } from '../kernel/context.ts';
import { valueColumns } from './variable-values.ts';

/** Rows read and sealed at a time. */
const BATCH = 200;

/**
 * Seals the sensitive values that a server before this one stored as they were, and says how many. Safe on all replicas at once: a value
 * is sealed only while it still stands.
 */
export async function sealPlainVariables(services: Pick<Services, 'prisma' | 'sealer' | 'log'>, signal: AbortSignal): Promise<number> {
  const { prisma } = services;
  let sealed = 0;
  while (!signal.aborted) {
    const rows = await prisma.templateVersionVariable.findMany({
      where: { sensitive: true, sealedValue: null, value: { not: '' } },
      take: BATCH,
      select: { templateVersionId: true, name: true, value: true, sensitive: true },
    });
    for (const row of rows) {
      const { templateVersionId, name, value } = row;
      await prisma.templateVersionVariable.updateMany({
        where: { templateVersionId, name, value, sealedValue: null },
        data: valueColumns(services, row),
      });
    }
    sealed += rows.length;
    if (rows.length < BATCH) break;
  }
  if (sealed > 0) services.log.info({ sealed }, 'sealed the values of sensitive variables that were stored as they are');
  return sealed;
}
