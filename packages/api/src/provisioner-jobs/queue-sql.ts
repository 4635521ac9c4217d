import { Prisma } from '@berth/db';
import type { Alias } from './status-sql.ts';
import { tagsMatchSql } from './tags-sql.ts';

/** A job that waits for a daemon, as a WHERE; the partial index on the queue has the same condition. */
function waitingSql(alias: Alias | 'q' | 'n'): Prisma.Sql {
  const j = Prisma.raw(alias);
  return Prisma.sql`${j}.started_at IS NULL AND ${j}.completed_at IS NULL`;
}

/** Whether a daemon `d` of the organization, by its type and tags, may take a job; not whether it is there now. */
export function fitsSql(alias: Alias | 'need'): Prisma.Sql {
  const j = Prisma.raw(alias);
  return Prisma.sql`${j}.provisioner = ANY (d.provisioners) AND ${tagsMatchSql(Prisma.raw(`${alias}.tags`), Prisma.sql`d.tags`)}`;
}

/**
 * `{queue_position, queue_size}` of a job as one `jsonb` expression: its rank among the waiting jobs that a daemon which could take it
 * could take as well, and their number. Both are 0 once the job left the queue. Jobs that need just the same compete even while no
 * daemon is known. Few needs differ, however many jobs wait: what daemons could take is asked once for each.
 */
export function queueSql(alias: Alias): Prisma.Sql {
  const j = Prisma.raw(alias);
  return Prisma.sql`CASE WHEN ${waitingSql(alias)} THEN (
    SELECT jsonb_build_object(
      'queue_position', count(*) FILTER (WHERE (q.created_at, q.id) <= (${j}.created_at, ${j}.id)),
      'queue_size', count(*))
    FROM provisioner_jobs q
    WHERE ${waitingSql('q')} AND q.organization_id = ${j}.organization_id AND (
      (q.provisioner = ${j}.provisioner AND q.tags = ${j}.tags)
      OR (q.provisioner, q.tags) IN (
        SELECT need.provisioner, need.tags FROM (
          SELECT DISTINCT n.provisioner, n.tags FROM provisioner_jobs n
          WHERE ${waitingSql('n')} AND n.organization_id = ${j}.organization_id
        ) need
        WHERE EXISTS (
          SELECT 1 FROM provisioner_daemons d
          WHERE d.organization_id = ${j}.organization_id AND d.last_seen_at IS NOT NULL AND ${fitsSql(alias)} AND ${fitsSql('need')})))
  ) ELSE '{"queue_position": 0, "queue_size": 0}'::jsonb END`;
}
