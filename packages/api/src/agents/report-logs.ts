import { invalidField } from '@berth/core';
import type { ReportLogs, ReportLogsResult } from '@berth/protocol';
import { AGENT_LIMITS } from '@berth/protocol';
import type { AgentCall } from './agent-call.ts';
import { withoutNul } from './agent-call.ts';
import { keepLines, lineBytes, lockLogSpace } from './log-space.ts';

/**
 * Keeps log lines in the order in which they were sent, each once however often it is sent, as long as there is space for this agent:
 * 1 MiB of output in all. What does not fit is dropped, and the agent is told so.
 *
 * @throws invalid for a log source of another agent.
 */
export async function reportLogs(call: AgentCall, { log_source_id, session_id, sequence, logs }: ReportLogs): Promise<ReportLogsResult> {
  const { db, principal } = call;
  const space = await lockLogSpace(db, principal.agentId);
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
  const lines = fresh.map((line) => ({ createdAt: new Date(line.created_at), level: line.level, output: withoutNul(line.output) }));
  const { kept, length } = fitting(lines, space.length);
  const overflowed = kept.length < lines.length;
  const heard = session_id === undefined ? {} : { heard: { logsSessionId: session_id, logsReceived: first + logs.length } };
  await keepLines(call, { sourceId: source.id, lines: kept, length, overflowed, ...heard });
  return { overflowed };
}

/** The lines that fit behind `used` bytes. */
function fitting<T extends { readonly output: string }>(lines: readonly T[], used: number): { kept: T[]; length: number } {
  const kept: T[] = [];
  let length = used;
  for (const line of lines) {
    const bytes = lineBytes(line.output);
    if (length + bytes > AGENT_LIMITS.logTotalBytesMax) break;
    length += bytes;
    kept.push(line);
  }
  return { kept, length };
}
