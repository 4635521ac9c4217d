import { Prisma, type Tx } from '@berth/db';
import { z } from 'zod';
import { ProvisionerJob } from './contract.ts';
import { jobSql } from './status-sql.ts';

const Row = z.object({ job: ProvisionerJob });

/** The wire form of one job, or null when there is none. Statements that already join the job embed `jobSql` instead. */
export async function presentJob(db: Tx, jobId: string): Promise<ProvisionerJob | null> {
  const rows = await db.$queryRaw<unknown[]>(Prisma.sql`SELECT ${jobSql('j')} AS job FROM provisioner_jobs j WHERE j.id = ${jobId}::uuid`);
  return rows.length === 0 ? null : Row.parse(rows[0]).job;
}
