import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@berth/client';
import type { PlannedWorkspace } from './cast.ts';
import type { SignedIn, SignedInPerson } from './people.ts';
import type { Progress } from './progress.ts';

/** For the agents of all new workspaces together. */
const READY_TIMEOUT_MS = 60_000;
const TERMINAL_TIMEOUT_MS = 15_000;
const ASK_EVERY_MS = 250;
const PROMPT_END = 'seed-was-here';

export interface ActivityOptions {
  readonly url: string;
  readonly made: readonly PlannedWorkspace[];
  readonly signedIn: SignedIn;
  readonly progress: Progress;
}

/**
 * Uses the running workspaces that were made now for a moment, as their owners: a command in a terminal, and a visit of the web app where
 * there is one. So "last used" and the insights of today have something true to show; the API cannot write the past.
 */
export async function useWorkspaces({ url, made, signedIn, progress }: ActivityOptions): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  await Promise.all(
    made.map(async ({ owner, name, state }) => {
      const person = signedIn.get(owner);
      if (state !== 'running' || person === undefined) return;
      const uses = await use(person, { url, owner, name, deadline });
      if (uses.length > 0) progress.made(`${owner} used ${name}: ${uses.join(', ')}`);
    }),
  );
}

interface Place {
  readonly url: string;
  readonly owner: string;
  readonly name: string;
  readonly deadline: number;
}

async function use(person: SignedInPerson, place: Place): Promise<string[]> {
  const uses: string[] = [];
  const agent = await until(place.deadline, async () => {
    const found = await agentOf(person.client, place);
    if (found?.lifecycle_state === 'ready') return found;
    return found?.lifecycle_state.startsWith('start_') === true ? null : undefined;
  });
  if (agent === undefined || agent === null) return uses;
  if (await typeCommand(person, { url: place.url, agentId: agent.id })) uses.push('a terminal');
  const isHealthy = await until(place.deadline, async () => {
    const app = (await agentOf(person.client, place))?.apps.find(({ slug }) => slug === 'web');
    if (app === undefined || app.health === 'unhealthy') return false;
    return app.health === 'healthy' ? true : undefined;
  });
  if (isHealthy === true && (await visit(person, place))) uses.push('its web app');
  return uses;
}

async function agentOf(client: Client, { owner, name }: Place) {
  const { latest_build } = await client.workspaces.getByOwnerAndName.query({ user: owner, workspacename: name });
  return latest_build.resources.flatMap((resource) => resource.agents ?? [])[0];
}

/** Runs a command in a terminal of the workspace and waits for the end of its output. False where no terminal could be had. */
async function typeCommand({ token }: SignedInPerson, { url, agentId }: { url: string; agentId: string }): Promise<boolean> {
  const address = `${url.replace(/^http/, 'ws')}/api/v2/workspaceagents/${agentId}/pty?reconnect=${randomUUID()}`;
  // Node's own WebSocket takes headers, which browsers' and the type do not know.
  const socket: WebSocket = Reflect.construct(WebSocket, [address, { headers: { 'service-session-token': token } }]);
  socket.binaryType = 'arraybuffer';
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), TERMINAL_TIMEOUT_MS);
  let output = '';
  socket.addEventListener('open', () => socket.send(JSON.stringify({ data: `uname -sr; echo ${PROMPT_END.replace('-', "'-'")}\r` })));
  socket.addEventListener('message', ({ data }) => {
    output += typeof data === 'string' ? data : Buffer.from(data).toString();
    if (output.includes(PROMPT_END)) resolve(true);
  });
  socket.addEventListener('error', () => resolve(false));
  socket.addEventListener('close', () => resolve(false));
  const isDone = await promise;
  clearTimeout(timer);
  socket.close();
  return isDone;
}

async function visit({ token }: SignedInPerson, { url, owner, name }: Place): Promise<boolean> {
  const response = await fetch(`${url}/@${owner}/${name}/apps/web/`, {
    headers: { 'service-session-token': token },
    signal: AbortSignal.timeout(TERMINAL_TIMEOUT_MS),
  });
  await response.body?.cancel();
  return response.ok;
}

/** Asks until the answer is not undefined, or the time is over. */
async function until<T>(deadline: number, ask: () => Promise<T | undefined>): Promise<T | undefined> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || performance.now() > deadline) return answer;
    await sleep(ASK_EVERY_MS);
  }
}
