import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import type { z } from 'zod';
import type { FollowLog } from '../builds/index.ts';
import { agentLogsChannel, workspaceChannel } from '../kernel/channels.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { permittedStream } from '../kernel/while-permitted.ts';
import { Wakeup } from '../kernel/wakeup.ts';
import { isoSql } from '../kernel/wire-sql.ts';
import type { AgentFacts } from './agent-facts.ts';
import { agentRef, loadAgentFacts } from './agent-facts.ts';
import type { ListAgentLogs, WorkspaceAgentLog } from './contract.ts';
import { AGENT_LOG_PAGE_MAX } from './contract.ts';

interface LogRange {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

async function selectLogs(db: Tx, agentId: string, { after, before, limit }: LogRange): Promise<WorkspaceAgentLog[]> {
  const [row] = await db.$queryRaw<{ logs: string }[]>(Prisma.sql`
    SELECT COALESCE(json_agg(json_build_object(
      'id', l.id, 'created_at', ${isoSql(Prisma.sql`l.created_at`)}, 'level', l.level, 'output', l.output, 'source_id', l.log_source_id
    ) ORDER BY l.id), '[]'::json)::text AS logs
    FROM (
      SELECT * FROM workspace_agent_logs
      WHERE agent_id = ${agentId}::uuid AND id > ${after ?? 0} AND id < ${before ?? Number.MAX_SAFE_INTEGER}
      ORDER BY id LIMIT ${limit}
    ) l`);
  return row === undefined ? [] : (JSON.parse(row.logs) as WorkspaceAgentLog[]);
}

/** The log lines of an agent, oldest first, of every source. */
export async function listAgentLogs(call: UserCall, input: z.output<typeof ListAgentLogs>): Promise<WorkspaceAgentLog[]> {
  const agent = await loadAgentFacts(call.db, input.workspaceagent);
  call.authorize.require(agentRef(agent));
  return selectLogs(call.db, agent.id, { after: input.after, before: input.before, limit: AGENT_LOG_PAGE_MAX });
}

/** News may be lost while a connection is down; a follower looks again at least this often. */
const LOOK_AGAIN_MS = 15_000;
const FOLLOW_PAGE = 1_000;

/**
 * The log of an agent as it comes, several lines at a time, each once and in order. Ends when the agent's build is no longer the
 * latest and all was given. Authorises before it answers the generator.
 */
export async function followAgentLogs(
  call: UserCall,
  { id, after, signal }: FollowLog,
): Promise<AsyncGenerator<WorkspaceAgentLog[], void, void>> {
  const agent = await loadAgentFacts(call.db, id);
  const object = agentRef(agent);
  call.authorize.require(object);
  return permittedStream(call, { action: 'read', object, signal }, (still) => follow(call, agent, { after, signal: still }));
}

async function* follow(
  { services }: UserCall,
  agent: AgentFacts,
  { after, signal }: Omit<FollowLog, 'id'>,
): AsyncGenerator<WorkspaceAgentLog[], void, void> {
  const wakeup = new Wakeup();
  const subscriptions = [
    services.bus.subscribe(agentLogsChannel, (news) => {
      if (news.agent_id === agent.id) wakeup.ring();
    }),
    services.bus.subscribe(workspaceChannel, (news) => {
      if (news.workspace_id === agent.workspaceId) wakeup.ring();
    }),
    services.bus.onReconnect(() => wakeup.ring()),
  ];
  try {
    let last = after;
    while (!signal.aborted) {
      // Read before the lines: an agent of an older build writes no more.
      const { isCurrent } = await loadAgentFacts(services.prisma, agent.id);
      let page: WorkspaceAgentLog[];
      do {
        page = await selectLogs(services.prisma, agent.id, { after: last, limit: FOLLOW_PAGE });
        last = page.at(-1)?.id ?? last;
        if (page.length > 0) yield page;
      } while (page.length === FOLLOW_PAGE && !signal.aborted);
      if (!isCurrent) return;
      await wakeup.wait(LOOK_AGAIN_MS, signal);
    }
  } finally {
    for (const unsubscribe of subscriptions) unsubscribe();
  }
}
