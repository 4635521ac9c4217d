import { DomainError, invalid, invalidField } from '@berth/core';
import type { Tx } from '@berth/db';
import { AGENT_LIMITS } from '@berth/protocol';
import type { z } from 'zod';
import type { Confirmation } from '../kernel/confirmation.ts';
import { confirmed } from '../kernel/confirmation.ts';
import type { AgentCall } from './agent-call.ts';
import { withoutNul } from './agent-call.ts';
import type { WorkspaceAgentLogSource } from './contract.ts';
import { keepLines, lineBytes, lockLogSpace } from './log-space.ts';
import type { AppendAgentLogs, CreateLogSource } from './program-logs-contract.ts';
import { tellWatchers } from './reports.ts';

/** Of what programs add to those of the template's scripts. */
const SOURCES_MAX = AGENT_LIMITS.scriptsMax + 64;
const NO_SOURCE = '00000000-0000-0000-0000-000000000000';
/** Where lines go whose program names no source. */
const EXTERNAL = { id: '3b579bf4-1ed8-4b99-87a8-e9a1e3410410', displayName: 'External', icon: '/emojis/1f310.png' };

/** A source of log lines that a program in the workspace names; the same id again changes nothing. @throws invalid when there are too many. */
export async function createLogSource(call: AgentCall, input: z.output<typeof CreateLogSource>): Promise<WorkspaceAgentLogSource> {
  const { db, principal } = call;
  if (input.id === NO_SOURCE) throw invalidField('id', 'must not be the zero UUID');
  await lockLogSpace(db, principal.agentId);
  const displayName = withoutNul(input.display_name);
  const made = await findOrCreateSource(call, { id: input.id, displayName, icon: withoutNul(input.icon) });
  return {
    id: made.id,
    workspace_agent_id: principal.agentId,
    created_at: made.createdAt.toISOString(),
    display_name: made.displayName,
    icon: made.icon,
  };
}

/**
 * Appends lines of a program in the workspace, all or none.
 *
 * @throws invalid for a source of another agent; too_large when the space of the agent is used up, which is kept in mind.
 */
export async function appendAgentLogs(call: AgentCall, input: z.output<typeof AppendAgentLogs>): Promise<Confirmation> {
  const isKept = await call.atomically((db) => append({ ...call, db }, input));
  if (isKept) return confirmed('The lines are in the log.');
  throw new DomainError('too_large', 'The log of this agent is full.', {
    detail: `It takes ${AGENT_LIMITS.logTotalBytesMax} bytes of output; these lines and all later ones are not kept.`,
  });
}

async function append(call: AgentCall, { log_source_id, logs }: z.output<typeof AppendAgentLogs>): Promise<boolean> {
  const { db, services, principal } = call;
  const space = await lockLogSpace(db, principal.agentId);
  if (space === undefined || space.overflowed) return false;
  const sourceId = await sourceOf(call, log_source_id ?? NO_SOURCE);
  const now = services.clock.now();
  const lines = logs.map(({ created_at, level, output }) => ({
    // A program's clock may be wrong, but nothing was printed after now.
    createdAt: created_at === undefined ? now : new Date(Math.min(Date.parse(created_at), now.getTime())),
    level,
    output,
  }));
  const length = lines.reduce((sum, { output }) => sum + lineBytes(withoutNul(output)), space.length);
  if (length <= AGENT_LIMITS.logTotalBytesMax) {
    await keepLines(call, { sourceId, lines, length, overflowed: false });
    return true;
  }
  await db.workspaceAgent.updateMany({ where: { id: principal.agentId }, data: { logsOverflowed: true, updatedAt: now } });
  await tellWatchers(call, 'agent');
  return false;
}

async function sourceOf(call: AgentCall, id: string): Promise<string> {
  if (id === NO_SOURCE || id === EXTERNAL.id) return (await findOrCreateSource(call, EXTERNAL)).id;
  if ((await findSource(call.db, call.principal.agentId, id)) === null) {
    throw invalidField('log_source_id', 'is not a log source of this agent');
  }
  return id;
}

interface LogSource {
  readonly id: string;
  readonly displayName: string;
  readonly icon: string;
}

async function findOrCreateSource({ db, services, principal }: AgentCall, { id, displayName, icon }: LogSource) {
  const { agentId } = principal;
  const there = await findSource(db, agentId, id);
  if (there !== null) return there;
  if ((await db.workspaceAgentLogSource.count({ where: { agentId } })) >= SOURCES_MAX) {
    throw invalid(`An agent has ${SOURCES_MAX} log sources at most.`);
  }
  return await db.workspaceAgentLogSource.create({
    data: { id, agentId, displayName, icon, createdAt: services.clock.now() },
    select: sourceSelect,
  });
}

const sourceSelect = { id: true, displayName: true, icon: true, createdAt: true };

function findSource(db: Tx, agentId: string, id: string) {
  return db.workspaceAgentLogSource.findUnique({ where: { agentId_id: { agentId, id } }, select: sourceSelect });
}
