import { Prisma } from '@berth/db';
import { AGENT_INACTIVE_MS } from '@berth/domain';

/** The status of the agent `a` at `now`, as text: `agentStatus` of the domain, said in SQL, for searches. */
export function agentStatusSql(now: Date): Prisma.Sql {
  const at = Prisma.sql`${now.toISOString()}::timestamptz`;
  return Prisma.sql`CASE
    WHEN a.first_connected_at IS NULL THEN CASE
      WHEN a.connection_timeout_seconds > 0 AND ${at} - a.created_at > make_interval(secs => a.connection_timeout_seconds)
      THEN 'timeout' ELSE 'connecting' END
    WHEN a.disconnected_at >= COALESCE(a.last_connected_at, a.first_connected_at) THEN 'disconnected'
    WHEN ${at} - COALESCE(a.last_connected_at, a.first_connected_at) > make_interval(secs => ${AGENT_INACTIVE_MS / 1000}::int)
    THEN 'disconnected' ELSE 'connected' END`;
}
