import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { cleanEnvironment } from '../env.ts';
import { cpuMicros, residentBytes } from '../machine/proc.ts';
import type { SignedIn } from '../start/sign-in.ts';

const SOURCE = fileURLToPath(new URL('./byte-source.ts', import.meta.url));
const TIMEOUT_MS = 120_000;
const SAMPLE_MS = 100;

const Ports = z.object({ tcpPort: z.int(), httpPort: z.int() });

/** One stream of bytes out of a workspace. */
export interface StreamResult {
  readonly bytes: number;
  readonly seconds: number;
  /** Processor time, in microseconds for a megabyte. */
  readonly serverMicrosPerMB: number;
  readonly agentMicrosPerMB: number;
  /** How much more resident memory than before the stream, at most, while it ran. */
  readonly serverGrowthBytes: number;
  readonly agentGrowthBytes: number;
}

export interface StreamPlace {
  readonly url: string;
  readonly signedIn: SignedIn;
  readonly agentId: string;
  readonly serverPid: number;
  readonly agentPid: number;
}

/** Starts a program that sends `bytes` to whoever connects; the workspaces of the built-in driver share this host's network. */
export async function startSource(bytes: number): Promise<z.infer<typeof Ports> & { stop: () => void }> {
  const child = fork(SOURCE, [String(bytes)], { env: cleanEnvironment() });
  const [message] = await once(child, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return { ...Ports.parse(message), stop: () => child.kill('SIGKILL') };
}

/** Reads one TCP connection to a port of the workspace through the server's door for them, to its end. */
export function streamTcp(place: StreamPlace, port: number): Promise<StreamResult> {
  return measured(place, async (count) => {
    const socket = new WebSocket(`${place.url.replace(/^http/, 'ws')}/api/v2/workspaceagents/${place.agentId}/tcp?port=${port}`, {
      headers: { 'service-session-token': place.signedIn.token },
      perMessageDeflate: false,
    });
    socket.on('message', (data: Buffer) => {
      count(data.length);
      // An empty message is the end of that direction.
      if (data.length === 0) socket.close(1000);
    });
    await once(socket, 'close', { signal: AbortSignal.timeout(TIMEOUT_MS) });
  });
}

/** Downloads from a web app of the workspace: the answer to `GET /` of the host, to its end. */
export function download(place: StreamPlace, host: string): Promise<StreamResult> {
  return measured(place, async (count) => {
    const { hostname, port } = new URL(place.url);
    const asked = request({ hostname, port, path: '/', headers: { host, 'service-session-token': place.signedIn.token } });
    asked.end();
    const [response] = await once(asked, 'response', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.statusCode !== 200) throw new Error(`The app answered ${response.statusCode}.`);
    for await (const chunk of response) count(chunk.length);
  });
}

async function measured(place: StreamPlace, stream: (count: (bytes: number) => void) => Promise<void>): Promise<StreamResult> {
  const { serverPid, agentPid } = place;
  const [server, agent] = [await footprint(serverPid), await footprint(agentPid)];
  const peak = { server: server.rss, agent: agent.rss };
  let isSampling = false;
  const sampler = setInterval(() => {
    if (isSampling) return;
    isSampling = true;
    void Promise.all([residentBytes(serverPid), residentBytes(agentPid)]).then(([ofServer, ofAgent]) => {
      peak.server = Math.max(peak.server, ofServer);
      peak.agent = Math.max(peak.agent, ofAgent);
      isSampling = false;
    });
  }, SAMPLE_MS);
  let bytes = 0;
  const from = performance.now();
  try {
    await stream((count) => {
      bytes += count;
    });
  } finally {
    clearInterval(sampler);
  }
  const seconds = (performance.now() - from) / 1000;
  const megabytes = bytes / 1e6;
  return {
    bytes,
    seconds,
    serverMicrosPerMB: ((await cpuMicros(serverPid)) - server.cpu) / megabytes,
    agentMicrosPerMB: ((await cpuMicros(agentPid)) - agent.cpu) / megabytes,
    serverGrowthBytes: peak.server - server.rss,
    agentGrowthBytes: peak.agent - agent.rss,
  };
}

async function footprint(pid: number): Promise<{ cpu: number; rss: number }> {
  return { cpu: await cpuMicros(pid), rss: await residentBytes(pid) };
}
