import { Prisma } from '@berth/db';
import type { WorkspaceSort, WorkspaceSortKey, WorkspaceStatus } from '@berth/domain';
import { buildFactsOfStatus, WORKSPACE_SORT_KEYS } from '@berth/domain';
import { jobStatusSql } from '../provisioner-jobs/index.ts';

/** An order of the list. Where it says nothing, owner and name do. */
export interface WorkspaceSortSql {
  /** What the list goes by, given the workspace as `w` and what `reads` says as `t`, or as `b` and `j`. */
  readonly value: Prisma.Sql;
  readonly direction: Prisma.Sql;
  readonly reads: 'template' | 'job' | undefined;
}

/** From what asks for attention, through what is under way, to what rests. */
const BY_ATTENTION: readonly WorkspaceStatus[] = [
  'failed',
  'pending',
  'starting',
  'stopping',
  'canceling',
  'deleting',
  'running',
  'canceled',
  'stopped',
  'deleted',
];

/** The order that was asked for; null for the usual one. */
export function sortSql(sort: WorkspaceSort | undefined): WorkspaceSortSql | null {
  const key = WORKSPACE_SORT_KEYS.find((one) => one === sort || `-${one}` === sort);
  if (sort === undefined || key === undefined) return null;
  return { ...valueSql(key), direction: sort === key ? Prisma.sql`ASC` : Prisma.sql`DESC` };
}

function valueSql(key: WorkspaceSortKey): Pick<WorkspaceSortSql, 'value' | 'reads'> {
  switch (key) {
    case 'name':
      return { value: Prisma.sql`lower(w.name)`, reads: undefined };
    case 'owner':
      return { value: Prisma.sql`w.owner_sort`, reads: undefined };
    case 'created':
      return { value: Prisma.sql`w.created_at`, reads: undefined };
    case 'last_used':
      return { value: Prisma.sql`w.last_used_at`, reads: undefined };
    case 'template':
      return { value: Prisma.sql`lower(COALESCE(NULLIF(t.display_name, ''), t.name))`, reads: 'template' };
    case 'status':
      return { value: attentionSql(), reads: 'job' };
  }
}

function attentionSql(): Prisma.Sql {
  const cases = BY_ATTENTION.map((status, rank) => {
    const { jobStatus, transition } = buildFactsOfStatus(status);
    const ofJob = Prisma.sql`${jobStatusSql('j')} = ${jobStatus}`;
    const condition = transition === null ? ofJob : Prisma.sql`${ofJob} AND b.transition = ${transition}`;
    return Prisma.sql`WHEN ${condition} THEN ${rank}::int`;
  });
  return Prisma.sql`CASE ${Prisma.join(cases, ' ')} ELSE ${BY_ATTENTION.length}::int END`;
}
