import { tracked } from '@trpc/server';
import { z } from 'zod';
import { resumeAfter } from '../builds/index.ts';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { followAgentLogs, listAgentLogs } from './agent-logs.ts';
import {
  AgentPath,
  FollowAgentLogs,
  ListAgentLogs,
  routes,
  WorkspaceAgent,
  WorkspaceAgentListeningPorts,
  WorkspaceAgentLog,
} from './contract.ts';
import { listListeningPorts } from './listening-ports.ts';
import { getAgent } from './read-agent.ts';
import { watchAgentMetadata } from './watch-metadata.ts';

/** For callers that have no signal: a stream that ends with its consumer. */
const never = (): AbortSignal => new AbortController().signal;

export const agentsRouter = t.router({
  get: userProcedure
    .meta({ ...routes.get, permission: 'workspace:read' })
    .input(AgentPath)
    .output(WorkspaceAgent)
    .query(({ ctx, input }) => getAgent(ctx, input)),

  logs: userProcedure
    .meta({ ...routes.logs, permission: 'workspace:read' })
    .input(ListAgentLogs)
    .output(z.array(WorkspaceAgentLog))
    .query(({ ctx, input }) => listAgentLogs(ctx, input)),

  followLogs: userProcedure
    .meta({ permission: 'workspace:read' })
    .input(FollowAgentLogs)
    .subscription(async ({ ctx, input, signal }) => {
      const follow = { id: input.workspaceagent, after: resumeAfter(input), signal: signal ?? never() };
      const pages = await followAgentLogs(ctx, follow);
      return (async function* () {
        for await (const page of pages) yield tracked(String(page.at(-1)?.id ?? 0), page);
      })();
    }),

  watchMetadata: userProcedure
    .meta({ permission: 'workspace:read' })
    .input(AgentPath)
    .subscription(({ ctx, input, signal }) => watchAgentMetadata(ctx, { ...input, signal: signal ?? never() })),

  listeningPorts: userProcedure
    .meta({ ...routes.listeningPorts, permission: 'workspace:read' })
    .input(AgentPath)
    .output(WorkspaceAgentListeningPorts)
    .query(({ ctx, input, signal }) => listListeningPorts(ctx, { ...input, signal: signal ?? never() })),
});
