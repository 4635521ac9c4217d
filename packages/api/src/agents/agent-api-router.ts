import {
  Ack,
  AgentManifest,
  AgentManifestRequest,
  ReportAppHealth,
  ReportLifecycle,
  ReportLogs,
  ReportLogsResult,
  ReportMetadata,
  ReportScript,
  ReportStartup,
  ReportStats,
  ReportStatsResult,
} from '@berth/protocol';
import { z } from 'zod';
import { AgentExternalAuth, AgentExternalAuthQuery, routes as externalAuthRoutes } from '../external-auth/contract.ts';
import { externalAuthForAgent } from '../external-auth/for-agent.ts';
import { AgentGitSshKey, routes as gitSshKeyRoutes } from '../git-ssh-keys/contract.ts';
import { keyForAgent } from '../git-ssh-keys/keys.ts';
import { Confirmation } from '../kernel/confirmation.ts';
import { agentProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { WorkspaceAgentLogSource } from './contract.ts';
import { readManifest } from './manifest.ts';
import { appendAgentLogs, createLogSource } from './program-logs.ts';
import { AppendAgentLogs, CreateLogSource, routes as programLogsRoutes } from './program-logs-contract.ts';
import { reportLogs } from './report-logs.ts';
import { reportAppHealth, reportLifecycle, reportMetadata, reportScript, reportStartup, reportStats } from './reports.ts';

const SAID_UNASKED = { none: 'an agent reports about itself; nobody asked for it' } as const;
const report = agentProcedure.meta({ permission: 'agent', audit: SAID_UNASKED });

/** What an agent says and asks, about itself only. */
export const agentApiRouter = t.router({
  manifest: agentProcedure
    .meta({ permission: 'agent' })
    .input(AgentManifestRequest)
    .output(AgentManifest)
    .query(({ ctx }) => readManifest(ctx)),

  externalAuth: agentProcedure
    .meta({ ...externalAuthRoutes.forAgent, permission: 'agent' })
    .input(AgentExternalAuthQuery)
    .output(AgentExternalAuth)
    .query(({ ctx, input, signal }) => externalAuthForAgent(ctx, { ...input, signal: signal ?? new AbortController().signal })),

  gitSshKey: agentProcedure
    .meta({ ...gitSshKeyRoutes.forAgent, permission: 'agent' })
    .input(z.object({}))
    .output(AgentGitSshKey)
    .query(({ ctx }) => keyForAgent(ctx)),

  createLogSource: agentProcedure
    .meta({ ...programLogsRoutes.createLogSource, permission: 'agent', audit: SAID_UNASKED })
    .input(CreateLogSource)
    .output(WorkspaceAgentLogSource)
    .mutation(({ ctx, input }) => createLogSource(ctx, input)),

  appendLogs: agentProcedure
    .meta({
      ...programLogsRoutes.appendLogs,
      permission: 'agent',
      audit: SAID_UNASKED,
      untransacted: 'that the log is full is kept, although the lines are refused',
    })
    .input(AppendAgentLogs)
    .output(Confirmation)
    .mutation(({ ctx, input }) => appendAgentLogs(ctx, input)),

  reportStartup: report
    .input(ReportStartup)
    .output(Ack)
    .mutation(({ ctx, input }) => reportStartup(ctx, input)),

  reportLifecycle: report
    .input(ReportLifecycle)
    .output(Ack)
    .mutation(({ ctx, input }) => reportLifecycle(ctx, input)),

  reportLogs: report
    .input(ReportLogs)
    .output(ReportLogsResult)
    .mutation(({ ctx, input }) => reportLogs(ctx, input)),

  reportMetadata: report
    .input(ReportMetadata)
    .output(Ack)
    .mutation(({ ctx, input }) => reportMetadata(ctx, input)),

  reportAppHealth: report
    .input(ReportAppHealth)
    .output(Ack)
    .mutation(({ ctx, input }) => reportAppHealth(ctx, input)),

  reportScript: report
    .input(ReportScript)
    .output(Ack)
    .mutation(({ ctx, input }) => reportScript(ctx, input)),

  reportStats: report
    .meta({ untransacted: 'use is noted in memory' })
    .input(ReportStats)
    .output(ReportStatsResult)
    .mutation(({ ctx, input }) => reportStats(ctx, input)),
});
