import { Prisma } from '@berth/db';
import type { FittingDaemons } from '@berth/domain';
import { z } from 'zod';
import { instantSql } from '../kernel/wire-sql.ts';
import { fitsSql } from './queue-sql.ts';

export const RawFittingDaemons = z.object({
  free: z.int(),
  busy: z.int(),
  draining: z.int(),
  offline: z.int(),
  slots: z.int(),
  free_slots: z.int(),
});

/** As the domain counts them. */
export function fittingDaemons({ free_slots: freeSlots, ...counts }: z.output<typeof RawFittingDaemons>): FittingDaemons {
  return { ...counts, freeSlots };
}

/** How many daemons could take the job `j`, by their state, and the jobs that those which are there can do at a time. Each is in one state. */
export function fittingDaemonsSql(heardSince: Date): Prisma.Sql {
  return Prisma.sql`(
    SELECT jsonb_build_object(
      'free', count(*) FILTER (WHERE state = 'free'), 'busy', count(*) FILTER (WHERE state = 'busy'),
      'draining', count(*) FILTER (WHERE state = 'draining'), 'offline', count(*) FILTER (WHERE state = 'offline'),
      'slots', coalesce(sum(slots) FILTER (WHERE state IN ('free', 'busy')), 0),
      'free_slots', coalesce(sum(slots - held) FILTER (WHERE state = 'free'), 0))
    FROM (SELECT d.slots, h.held, CASE
        WHEN d.last_seen_at IS NULL OR d.last_seen_at < ${instantSql(heardSince)} THEN 'offline'
        WHEN d.draining_at IS NOT NULL THEN 'draining'
        WHEN h.held >= d.slots THEN 'busy'
        ELSE 'free' END AS state
      FROM provisioner_daemons d CROSS JOIN LATERAL (
        SELECT count(*) AS held FROM provisioner_jobs job WHERE job.worker_id = d.id AND job.completed_at IS NULL) h
      WHERE d.organization_id = j.organization_id AND ${fitsSql('j')}) fitting)`;
}
