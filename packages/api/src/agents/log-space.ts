import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import { agentLogsChannel } from '../kernel/channels.ts';
import type { AgentCall } from './agent-call.ts';
import { withoutNul } from './agent-call.ts';
import { tellWatchers } from './reports.ts';

/** What an agent's log takes up so far, and who wrote to it last. */
export interface LogSpace {
  readonly length: number;
  readonly overflowed: boolean;
  readonly sessionId: string | null;
  readonly received: number;
}

/** Locked, so that two calls count one after the other and ids grow in the order in which lines become visible. */
export async function lockLogSpace(db: Tx, agentId: string): Promise<LogSpace | undefined> {
  const [space] = await db.$queryRaw<LogSpace[]>(Prisma.sql`
    SELECT logs_length AS length, logs_overflowed AS overflowed, logs_session_id AS "sessionId", logs_received AS received
    FROM workspace_agents WHERE id = ${agentId}::uuid FOR UPDATE`);
  return space;
}

/** Bytes that a line takes of the space. An empty line counts as one, or they would be free. */
export function lineBytes(output: string): number {
  return Math.max(1, Buffer.byteLength(output));
}

export interface KeptLines {
  readonly sourceId: string;
  readonly lines: readonly { readonly createdAt: Date; readonly level: string; readonly output: string }[];
  /** The space in use with them. */
  readonly length: number;
  readonly overflowed: boolean;
  readonly heard?: { readonly logsSessionId: string; readonly logsReceived: number };
}

/** Writes lines of an agent whose space is locked, and tells who follows. */
export async function keepLines(call: Pick<AgentCall, 'db' | 'services' | 'principal'>, kept: KeptLines): Promise<void> {
  const { db, services, principal } = call;
  await db.workspaceAgentLog.createMany({
    data: kept.lines.map((line) => ({
      ...line,
      output: withoutNul(line.output),
      agentId: principal.agentId,
      logSourceId: kept.sourceId,
    })),
  });
  await db.workspaceAgent.updateMany({
    where: { id: principal.agentId },
    data: { logsLength: kept.length, logsOverflowed: kept.overflowed, updatedAt: services.clock.now(), ...kept.heard },
  });
  await services.bus.publish(db, agentLogsChannel, { agent_id: principal.agentId });
  if (kept.overflowed) await tellWatchers(call, 'agent');
}
