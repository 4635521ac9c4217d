import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import { isoSql } from '../../kernel/wire-sql.ts';
import { WorkspaceBuildTimings } from './contract.ts';

/** Of each kind; more is no picture that anybody reads. */
const MAX_TIMINGS = 1000;

/** The timings of a build by its job, each kind in the order of its beginnings, in one statement. */
export async function readTimings(db: Tx, jobId: string): Promise<WorkspaceBuildTimings> {
  const job = Prisma.sql`${jobId}::uuid`;
  const [row] = await db.$queryRaw<unknown[]>(Prisma.sql`SELECT
    coalesce((SELECT jsonb_agg(jsonb_build_object(
      'job_id', t.job_id, 'started_at', ${isoSql(Prisma.sql`t.started_at`)}, 'ended_at', ${isoSql(Prisma.sql`t.ended_at`)},
      'stage', t.stage, 'source', t.source, 'action', t.action, 'resource', t.resource
    ) ORDER BY t.started_at, t.id) FROM (
      SELECT * FROM provisioner_job_timings WHERE job_id = ${job} ORDER BY started_at, id LIMIT ${MAX_TIMINGS}
    ) t), '[]'::jsonb) AS provisioner_timings,
    coalesce((SELECT jsonb_agg(jsonb_build_object(
      'started_at', ${isoSql(Prisma.sql`t.started_at`)}, 'ended_at', ${isoSql(Prisma.sql`t.ended_at`)}, 'exit_code', t.exit_code,
      'stage', t.stage, 'status', t.status, 'display_name', t.display_name,
      'workspace_agent_id', t.agent_id, 'workspace_agent_name', t.agent_name
    ) ORDER BY t.started_at, t.id) FROM (
      SELECT st.*, s.display_name, a.id AS agent_id, a.name AS agent_name
      FROM workspace_agent_script_timings st
      JOIN workspace_agent_scripts s ON s.id = st.script_id
      JOIN workspace_agents a ON a.id = s.agent_id
      JOIN workspace_resources r ON r.id = a.resource_id
      WHERE r.job_id = ${job} ORDER BY st.started_at, st.id LIMIT ${MAX_TIMINGS}
    ) t), '[]'::jsonb) AS agent_script_timings,
    coalesce((SELECT jsonb_agg(jsonb_build_object(
      'started_at', ${isoSql(Prisma.sql`a.created_at`)}, 'ended_at', ${isoSql(Prisma.sql`a.first_connected_at`)}, 'stage', 'connect',
      'workspace_agent_id', a.id, 'workspace_agent_name', a.name
    ) ORDER BY a.created_at, a.id) FROM workspace_agents a JOIN workspace_resources r ON r.id = a.resource_id
      WHERE r.job_id = ${job}), '[]'::jsonb) AS agent_connection_timings`);
  return WorkspaceBuildTimings.parse(row);
}
