import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { endsWith } from '../cleanup.ts';
import { percentile } from '../machine/statistics.ts';
import { agentOf, makeWorkspace, settled, stopWorkspace } from './bench-workspace.ts';
import type { SignedIn } from './sign-in.ts';
import { waitForWorkspace } from './watch-workspace.ts';

const BUILD_TIMEOUT_MS = 60_000;
const PROMPT_TIMEOUT_MS = 30_000;

/** Moments of one start, in milliseconds since the request was sent. */
interface StartMoments {
  /** The build request was answered. */
  readonly accepted: number;
  /** The watcher saw the agent that the plan has. */
  readonly planned: number;
  /** The terminal's WebSocket was open. */
  readonly opened: number;
  /** The first bytes of the shell arrived. */
  readonly prompt: number;
}

export interface StartResult {
  readonly starts: number;
  readonly p50: number;
  readonly p95: number;
  /** Medians of the moments on the way. */
  readonly accepted: number;
  readonly planned: number;
  readonly opened: number;
  /** The same by the server's clock, from the making of the build: medians in milliseconds. */
  readonly jobStarted: number;
  readonly agentConnected: number;
  readonly jobCompleted: number;
}

/** Starts a stopped workspace of the empty-shell starter again and again, each time until its shell has said something. */
export async function measureStarts(
  url: string,
  signedIn: SignedIn,
  options: { starts: number; log: (message: string) => void },
): Promise<StartResult> {
  const workspace = await makeWorkspace(url, signedIn);
  // A workspace outlives its server.
  const end = endsWith(() => stopWorkspace(url, signedIn, workspace.id));
  try {
    return await repeat(url, signedIn, { workspaceId: workspace.id, ...options });
  } finally {
    await end();
  }
}

interface RepeatOptions {
  readonly workspaceId: string;
  readonly starts: number;
  readonly log: (message: string) => void;
}

async function repeat(url: string, signedIn: SignedIn, { workspaceId, starts, log }: RepeatOptions): Promise<StartResult> {
  const moments: StartMoments[] = [];
  const onServer: { jobStarted: number; agentConnected: number; jobCompleted: number }[] = [];
  for (let turn = 1; turn <= starts; turn++) {
    await stopWorkspace(url, signedIn, workspaceId);
    const moment = await startOnce(url, signedIn, workspaceId);
    const after = await settled(url, signedIn, workspaceId);
    const agent = agentOf(after);
    const since = (time: string | null | undefined): number =>
      time ? Date.parse(time) - Date.parse(after.latest_build.created_at) : Number.NaN;
    onServer.push({
      jobStarted: since(after.latest_build.job.started_at),
      agentConnected: since(agent?.first_connected_at),
      jobCompleted: since(after.latest_build.job.completed_at),
    });
    moments.push(moment);
    log(`start ${turn} of ${starts}: ${moment.prompt.toFixed(0)} ms`);
  }
  const median = <T>(values: readonly T[], pick: (value: T) => number): number => percentile(values.map(pick), 0.5);
  const prompts = moments.map(({ prompt }) => prompt);
  return {
    starts,
    p50: percentile(prompts, 0.5),
    p95: percentile(prompts, 0.95),
    accepted: median(moments, ({ accepted }) => accepted),
    planned: median(moments, ({ planned }) => planned),
    opened: median(moments, ({ opened }) => opened),
    jobStarted: median(onServer, ({ jobStarted }) => jobStarted),
    agentConnected: median(onServer, ({ agentConnected }) => agentConnected),
    jobCompleted: median(onServer, ({ jobCompleted }) => jobCompleted),
  };
}

async function startOnce(url: string, signedIn: SignedIn, id: string): Promise<StartMoments> {
  const from = performance.now();
  const since = (): number => performance.now() - from;
  const build = await signedIn.client.builds.create.mutate({ workspace: id, transition: 'start' });
  const accepted = since();
  const workspace = await waitForWorkspace({
    url,
    signedIn,
    id,
    timeoutMs: BUILD_TIMEOUT_MS,
    matches: (seen) => seen.latest_build.id === build.id && (agentOf(seen) !== undefined || seen.latest_build.job.completed_at !== null),
  });
  const agent = agentOf(workspace);
  if (agent === undefined) throw new Error(`The start build has no agent: ${workspace.latest_build.job.error}`);
  const planned = since();
  const { opened, prompt } = await firstBytes(
    `${url.replace(/^http/, 'ws')}/api/v2/workspaceagents/${agent.id}/pty?reconnect=${randomUUID()}&width=80&height=24`,
    signedIn,
    since,
  );
  return { accepted, planned, opened, prompt };
}

/** Opens a terminal and waits for the first bytes of its shell. */
function firstBytes(url: string, { token }: SignedIn, since: () => number): Promise<{ opened: number; prompt: number }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers: { 'service-session-token': token } });
    let opened = Number.NaN;
    const timer = setTimeout(() => {
      socket.terminate();
      reject(new Error(`No prompt came within ${PROMPT_TIMEOUT_MS / 1000} s.`));
    }, PROMPT_TIMEOUT_MS);
    socket.once('open', () => {
      opened = since();
    });
    socket.once('message', () => {
      const prompt = since();
      clearTimeout(timer);
      socket.close();
      resolve({ opened, prompt });
    });
    socket.once('error', reject);
    socket.once('close', (code, reason) => reject(new Error(`The terminal was closed: ${code} ${reason.toString()}`)));
  });
}
