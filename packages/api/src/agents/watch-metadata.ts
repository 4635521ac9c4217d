import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '@berth/db';
import type { z } from 'zod';
import { agentMetadataChannel } from '../kernel/channels.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { permittedStream } from '../kernel/while-permitted.ts';
import { Wakeup } from '../kernel/wakeup.ts';
import { agentRef, loadAgentFacts } from './agent-facts.ts';
import type { AgentPath, WorkspaceAgentMetadatum } from './contract.ts';

/** Values are sent at most this often, since a template may collect many of them every second. */
const AT_MOST_EVERY_MS = 1_000;
/** They are sent at least this often, since their age is part of them. */
const AT_LEAST_EVERY_MS = 5_000;

/**
 * The metadata of an agent: at once, then after changes, at most once a second and at least every five. Authorises before it
 * answers the generator; ends when `signal` is aborted or the agent's build is no longer the latest.
 */
export async function watchAgentMetadata(
  call: UserCall,
  { workspaceagent, signal }: z.output<typeof AgentPath> & { readonly signal: AbortSignal },
): Promise<AsyncGenerator<WorkspaceAgentMetadatum[], void, void>> {
  const agent = await loadAgentFacts(call.db, workspaceagent);
  const object = agentRef(agent);
  call.authorize.require(object);
  return permittedStream(call, { action: 'read', object, signal }, (still) => values(call, agent.id, still));
}

async function* values(
  { services }: UserCall,
  agentId: string,
  signal: AbortSignal,
): AsyncGenerator<WorkspaceAgentMetadatum[], void, void> {
  const wakeup = new Wakeup();
  const unsubscribe = services.bus.subscribe(agentMetadataChannel, (news) => {
    if (news.agent_id === agentId) wakeup.ring();
  });
  try {
    while (!signal.aborted) {
      const { isCurrent } = await loadAgentFacts(services.prisma, agentId);
      yield await selectMetadata(services.prisma, agentId, services.clock.now());
      if (!isCurrent) return;
      await sleep(AT_MOST_EVERY_MS, undefined, { signal }).catch(() => undefined);
      await wakeup.wait(AT_LEAST_EVERY_MS - AT_MOST_EVERY_MS, signal);
    }
  } finally {
    unsubscribe();
  }
}

async function selectMetadata(db: Tx, agentId: string, now: Date): Promise<WorkspaceAgentMetadatum[]> {
  const rows = await db.workspaceAgentMetadatum.findMany({
    where: { agentId },
    select: {
      key: true,
      displayName: true,
      script: true,
      intervalSeconds: true,
      timeoutSeconds: true,
      value: true,
      error: true,
      collectedAt: true,
    },
    orderBy: [{ displayOrder: 'asc' }, { key: 'asc' }],
  });
  return rows.map((row) => ({
    result: {
      collected_at: row.collectedAt?.toISOString() ?? null,
      age: row.collectedAt === null ? 0 : Math.max(0, Math.floor((now.getTime() - row.collectedAt.getTime()) / 1000)),
      value: row.value,
      error: row.error,
    },
    description: {
      display_name: row.displayName,
      key: row.key,
      script: row.script,
      interval: row.intervalSeconds,
      timeout: row.timeoutSeconds,
    },
  }));
}
