import { invalidField } from '@berth/core';
import { Prisma } from '@berth/db';
import type { ReportLogs, ReportLogsResult } from '@berth/protocol';
import { AGENT_LIMITS } from '@berth/protocol';
import { agentLogsChannel } from '../kernel/channels.ts';
import type { AgentCall } from './agent-call.ts';
import { withoutNul } from './agent-call.ts';
import { tellWatchers } from './reports.ts';

interface Space {
  readonly length: number;
  readonly overflowed: boolean;
  readonly sessionId: string | null;
  readonly received: number;
}

/**
 * Keeps log lines in the order in which they were sent, each once however often it is sent, as long as there is space for this agent:
 * 1 MiB of output in all. What does not fit is dropped, and the agent is told so.
 *
 * @throws invalid for a log source of another agent.
 */
export async function reportLogs(call: AgentCall, { log_source_id, session_id, sequence, logs }: ReportLogs): Promise<ReportLogsResult> {
  const { db, services, principal } = call;
  // Locked, so that two calls count one after the other and ids grow in the order in which lines become visible.
  const [space] = await db.$queryRaw<Space[]>(Prisma.sql`
    SELECT logs_length AS length, logs_overflowed AS overflowed, logs_session_id AS "sessionId", logs_received AS received
    FROM workspace_agents WHERE id = ${principal.agentId}::uuid FOR UPDATE`);
  if (space === undefined || space.overflowed) return { overflowed: true };
  const source = await db.workspaceAgentLogSource.findFirst({
    where: { id: log_source_id, agentId: principal.agentId },
    select: { id: true },
  });
  if (source === null) throw invalidField('log_source_id', 'is not a log source of this agent');

  // A process of the agent that was not heard before numbers its lines anew.
  const received = session_id === undefined || session_id !== space.sessionId ? 0 : space.received;
  const first = sequence ?? received;
  const fresh = logs.slice(Math.max(0, received - first));
  if (fresh.length === 0) return { overflowed: false };
  const lines = fresh.map((line) => ({ ...line, output: withoutNul(line.output) }));
  const { kept, length } = fitting(lines, space.length);
  const overflowed = kept.length < lines.length;
  await db.workspaceAgentLog.createMany({
    data: kept.map(({ created_at, level, output }) => ({
      agentId: principal.agentId,
      logSourceId: source.id,
      createdAt: new Date(created_at),
      level,
      output,
    })),
  });
  await db.workspaceAgent.updateMany({
    where: { id: principal.agentId },
    data: {
      logsLength: length,
      logsOverflowed: overflowed,
      updatedAt: services.clock.now(),
      ...(session_id === undefined ? {} : { logsSessionId: session_id, logsReceived: first + logs.length }),
    },
  });
  await services.bus.publish(db, agentLogsChannel, { agent_id: principal.agentId });
  if (overflowed) await tellWatchers(call, 'agent');
  return { overflowed };
}

/** The lines that fit behind `used` bytes. An empty line counts as one byte, or they would be free. */
function fitting<T extends { readonly output: string }>(lines: readonly T[], used: number): { kept: T[]; length: number } {
  const kept: T[] = [];
  let length = used;
  for (const line of lines) {
    const bytes = Math.max(1, Buffer.byteLength(line.output));
    if (length + bytes > AGENT_LIMITS.logTotalBytesMax) break;
    length += bytes;
    kept.push(line);
  }
  return { kept, length };
}
