import { Prisma } from '@berth/db';
import { isoSql } from '../kernel/wire-sql.ts';
import { queueSql } from './queue-sql.ts';

/** A table alias in generated SQL. Only literals of our own code: it is not escaped. */
export type Alias = 'j' | 'job';

/** The status of a job in SQL: the counterpart of `jobStatus` in the domain. */
export function jobStatusSql(alias: Alias = 'j'): Prisma.Sql {
  const j = Prisma.raw(alias);
  return Prisma.sql`CASE
    WHEN ${j}.error <> '' THEN 'failed'
    WHEN ${j}.completed_at IS NOT NULL THEN CASE WHEN ${j}.canceled_at IS NULL THEN 'succeeded' ELSE 'canceled' END
    WHEN ${j}.canceled_at IS NOT NULL THEN 'canceling'
    WHEN ${j}.started_at IS NULL THEN 'pending'
    ELSE 'running' END`;
}

/**
 * The wire form of a job as one `jsonb` expression, for statements that build nested answers: `ProvisionerJob` of the contract.
 * `alias` is the `provisioner_jobs` row in scope.
 */
export function jobSql(alias: Alias = 'j'): Prisma.Sql {
  const j = Prisma.raw(alias);
  const at = (column: string): Prisma.Sql => isoSql(Prisma.raw(`${alias}.${column}`));
  return Prisma.sql`jsonb_build_object(
    'id', ${j}.id,
    'created_at', ${at('created_at')},
    'started_at', ${at('started_at')},
    'completed_at', ${at('completed_at')},
    'canceled_at', ${at('canceled_at')},
    'error', ${j}.error,
    'error_code', ${j}.error_code,
    'status', ${jobStatusSql(alias)},
    'worker_id', ${j}.worker_id,
    'file_id', ${j}.file_id,
    'tags', ${j}.tags
  ) || ${queueSql(alias)}`;
}
