import { invalid } from '@berth/core';
import type { Tx } from '@berth/db';
import { agentStatus } from '@berth/domain';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { agentRef, loadAgentFacts } from './agent-facts.ts';
import type { AgentPath, WorkspaceAgentListeningPorts } from './contract.ts';
import { waitForTunnel } from './terminal.ts';

/** Ports below are the system's. */
const LOWEST_PORT = 9;
/** Services that people forward by other means, if at all. */
const IGNORED_PORTS: ReadonlySet<number> = new Set([
  20, 21, 22, 23, 25, 53, 110, 143, 179, 389, 465, 587, 636, 989, 990, 993, 995, 3306, 3389, 5432, 27_017, 27_018, 27_019, 28_017,
]);
const TUNNEL_WAIT_MS = 5_000;

/**
 * The TCP ports that processes in the workspace listen on, as the agent sees them. Those of declared apps and of well-known services are
 * listed apart from the others, with the reason.
 *
 * @throws invalid when the agent is not connected.
 */
export async function listListeningPorts(
  call: UserCall,
  { workspaceagent, signal }: z.output<typeof AgentPath> & { readonly signal: AbortSignal },
): Promise<WorkspaceAgentListeningPorts> {
  const agent = await loadAgentFacts(call.db, workspaceagent);
  call.authorize.require(agentRef(agent));
  const status = agentStatus(agent, call.services.clock.now());
  if (!agent.isCurrent) throw invalid('The agent belongs to an older build of its workspace.');
  if (status !== 'connected') throw invalid(`The agent is not connected; it is ${status}.`);
  const tunnel = await waitForTunnel(call.services, agent.id, { timeoutMs: TUNNEL_WAIT_MS, signal });
  const [{ ports }, appPorts] = await Promise.all([tunnel.listeningPorts({ signal }), portsOfApps(call.db, agent.id)]);
  const answer: WorkspaceAgentListeningPorts = { ports: [], hidden: [] };
  for (const found of ports.filter(({ port }) => port >= LOWEST_PORT)) {
    const apps = appPorts.get(found.port);
    if (apps !== undefined) answer.hidden.push({ ...found, reason: 'app', app_slugs: apps });
    else if (IGNORED_PORTS.has(found.port)) answer.hidden.push({ ...found, reason: 'well_known', app_slugs: [] });
    else answer.ports.push(found);
  }
  return answer;
}

/** The slugs of the declared apps on each port of this agent's host. */
async function portsOfApps(db: Tx, agentId: string): Promise<ReadonlyMap<number, string[]>> {
  const apps = await db.workspaceApp.findMany({
    where: { agentId, external: false },
    select: { slug: true, url: true },
    orderBy: [{ displayOrder: 'asc' }, { slug: 'asc' }],
  });
  const slugs = new Map<number, string[]>();
  for (const { slug, url } of apps) {
    const port = portOf(url);
    if (port !== null) slugs.set(port, [...(slugs.get(port) ?? []), slug]);
  }
  return slugs;
}

/** The port that a URL of this very host means; null for other hosts and for what is no URL. */
export function portOf(url: string): number | null {
  const parsed = URL.parse(url);
  if (parsed === null || !isLoopback(parsed.hostname)) return null;
  if (parsed.port !== '') return Number(parsed.port);
  return parsed.protocol === 'https:' ? 443 : 80;
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
