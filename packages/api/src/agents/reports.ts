import { invalidField } from '@berth/core';
import { Prisma } from '@berth/db';
import { lifecycleTimes } from '@berth/domain';
import type {
  Ack,
  ReportAppHealth,
  ReportLifecycle,
  ReportMetadata,
  ReportScript,
  ReportStartup,
  ReportStats,
  ReportStatsResult,
} from '@berth/protocol';
import { AGENT_LIMITS, PROTOCOL_VERSION } from '@berth/protocol';
import { agentMetadataChannel, workspaceChannel } from '../kernel/channels.ts';
import type { AgentCall } from './agent-call.ts';
import { cutBytes, withoutNul } from './agent-call.ts';

const STATS_EVERY_MS = 30_000;
/** Runs of one script that are kept: a schedule would fill the table. */
const TIMINGS_KEPT = 100;

/** What an agent is, said once for each connection. */
export async function reportStartup({ db, services, principal }: AgentCall, report: ReportStartup): Promise<Ack> {
  await db.workspaceAgent.updateMany({
    where: { id: principal.agentId },
    data: {
      version: report.version,
      apiVersion: `${report.protocol_version ?? PROTOCOL_VERSION}.0`,
      expandedDirectory: withoutNul(report.expanded_directory),
      subsystems: [...new Set(report.subsystems)],
      updatedAt: services.clock.now(),
    },
  });
  await tellWatchers({ db, services, principal }, 'agent');
  return {};
}

/** The state of the processes in the workspace; the last report counts. */
export async function reportLifecycle({ db, services, principal }: AgentCall, { state, changed_at }: ReportLifecycle): Promise<Ack> {
  const agent = await db.workspaceAgent.findUnique({ where: { id: principal.agentId }, select: { startedAt: true } });
  if (agent === null) return {};
  const now = services.clock.now();
  // An agent's clock may be wrong, but nothing happened after now.
  const changedAt = new Date(Math.min(new Date(changed_at).getTime(), now.getTime()));
  await db.workspaceAgent.updateMany({
    where: { id: principal.agentId },
    data: { lifecycleState: state, ...lifecycleTimes(state, { changedAt, startedAt: agent.startedAt }), updatedAt: now },
  });
  await tellWatchers({ db, services, principal }, 'agent');
  return {};
}

/** Latest values of metadata. Keys that the template does not have are ignored; values are cut to 2048 bytes. */
export async function reportMetadata({ db, services, principal }: AgentCall, { metadata }: ReportMetadata): Promise<Ack> {
  const now = services.clock.now().toISOString();
  const keys = metadata.map(({ key }) => withoutNul(key));
  const values = metadata.map(({ value }) => cutBytes(withoutNul(value), AGENT_LIMITS.metadataValueMax));
  const errors = metadata.map(({ error }) => cutBytes(withoutNul(error), AGENT_LIMITS.metadataErrorMax));
  const times = metadata.map(({ collected_at }) => collected_at);
  await db.$executeRaw(Prisma.sql`
    UPDATE workspace_agent_metadata m SET
      value = reported.value, error = reported.error, collected_at = LEAST(reported.collected_at, ${now}::timestamptz)
    FROM unnest(${keys}::text[], ${values}::text[], ${errors}::text[], ${times}::timestamptz[]) AS reported(key, value, error, collected_at)
    WHERE m.agent_id = ${principal.agentId}::uuid AND m.key = reported.key`);
  await services.bus.publish(db, agentMetadataChannel, { agent_id: principal.agentId });
  return {};
}

/** Health of apps. Apps without a check stay as they are, and so do those of other agents. */
export async function reportAppHealth({ db, services, principal }: AgentCall, { updates }: ReportAppHealth): Promise<Ack> {
  const ids = updates.map(({ id }) => id);
  const healths = updates.map(({ health }) => health);
  const changed = await db.$executeRaw(Prisma.sql`
    UPDATE workspace_apps app SET health = reported.health
    FROM unnest(${ids}::uuid[], ${healths}::text[]) AS reported(id, health)
    WHERE app.agent_id = ${principal.agentId}::uuid AND app.id = reported.id
      AND app.health <> 'disabled' AND reported.health <> 'disabled' AND app.health <> reported.health`);
  if (changed > 0) await tellWatchers({ db, services, principal }, 'app_health');
  return {};
}

/** One run of a script. @throws invalid for a script of another agent. */
export async function reportScript({ db, principal }: AgentCall, report: ReportScript): Promise<Ack> {
  const script = await db.workspaceAgentScript.findFirst({
    where: { id: report.script_id, agentId: principal.agentId },
    select: { id: true },
  });
  if (script === null) throw invalidField('script_id', 'is not a script of this agent');
  await db.workspaceAgentScriptTiming.create({
    data: {
      scriptId: script.id,
      stage: report.stage,
      status: report.status,
      exitCode: report.exit_code,
      startedAt: new Date(report.started_at),
      endedAt: new Date(report.ended_at),
    },
    select: { id: true },
  });
  await db.$executeRaw(Prisma.sql`
    DELETE FROM workspace_agent_script_timings WHERE script_id = ${script.id}::uuid AND id <= (
      SELECT id FROM workspace_agent_script_timings WHERE script_id = ${script.id}::uuid ORDER BY id DESC OFFSET ${TIMINGS_KEPT} LIMIT 1)`);
  return {};
}

/** What is open on the agent: while anything is, its workspace is in use. */
export function reportStats({ services, principal }: AgentCall, report: ReportStats): ReportStatsResult {
  const sessions = [
    ['vscode', report.session_count_vscode],
    ['jetbrains', report.session_count_jetbrains],
    ['reconnecting-pty', report.session_count_reconnecting_pty],
    ['ssh', report.session_count_ssh],
  ] as const;
  const open = sessions.filter(([, count]) => count > 0).map(([app]) => app);
  const apps = open.length === 0 && report.connection_count > 0 ? ([''] as const) : open;
  // Who it is that works there, the agent does not know: its owner, as far as it can tell.
  for (const app of apps) services.activity.note({ workspaceId: principal.workspaceId, userId: principal.ownerId, app });
  services.traffic.note(principal.agentId, report);
  return { interval_ms: STATS_EVERY_MS };
}

/** Tells those who watch the agent's workspace, when the transaction commits. */
export async function tellWatchers(
  { db, services, principal }: Pick<AgentCall, 'db' | 'services' | 'principal'>,
  kind: string,
): Promise<void> {
  await services.bus.publish(db, workspaceChannel, { workspace_id: principal.workspaceId, owner_id: principal.ownerId, kind });
}
