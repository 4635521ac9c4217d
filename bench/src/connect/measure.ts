import type { Latency } from '../machine/statistics.ts';
import { newestPid, residentBytes } from '../machine/proc.ts';
import type { ServerProcess } from '../server-process.ts';
import { agentOf, makeWorkspace, stopWorkspace } from '../start/bench-workspace.ts';
import type { SignedIn } from '../start/sign-in.ts';
import { endsWith } from '../cleanup.ts';
import { measureEcho } from './echo.ts';
import type { StreamResult } from './throughput.ts';
import { download, startSource, streamTcp } from './throughput.ts';

export interface ConnectResult {
  readonly keys: number;
  readonly echo: Latency;
  readonly tcp: StreamResult;
  readonly download: StreamResult;
  /** The agent's resident memory before anybody connected. */
  readonly agentRestBytes: number;
}

/** What a person or a program feels of the way into a workspace: the echo of keys, and the speed of one stream. */
export async function measureConnect(
  server: ServerProcess,
  signedIn: SignedIn,
  options: { keys: number; streamBytes: number; log: (message: string) => void },
): Promise<ConnectResult> {
  const { keys, streamBytes, log } = options;
  const workspace = await makeWorkspace(server.url, signedIn);
  const end = endsWith(() => stopWorkspace(server.url, signedIn, workspace.id));
  const source = await startSource(streamBytes);
  try {
    const agent = agentOf(workspace);
    if (agent === undefined) throw new Error('The workspace has no agent.');
    // It shows the paths of its sandbox, which every workspace has; the newest is ours.
    const agentPid = await newestPid((command) => /\bnode\b.* \S*\/agent\.mjs *$/.test(command));
    if (agentPid === undefined) throw new Error('The agent’s process was not found.');
    const agentRestBytes = await residentBytes(agentPid);
    const echo = await measureEcho(server.url, signedIn, { agentId: agent.id, keys });
    log(`echo: p50 ${echo.p50.toFixed(1)} ms, p95 ${echo.p95.toFixed(1)} ms`);
    const place = { url: server.url, signedIn, agentId: agent.id, serverPid: server.pid, agentPid };
    const tcp = await streamTcp(place, source.tcpPort);
    log(`one TCP stream: ${(tcp.bytes / 1e6 / tcp.seconds).toFixed(0)} MB/s`);
    const { host } = await signedIn.client.applications.host.query({});
    const name = `${source.httpPort}--${agent.name}--${workspace.name}--${workspace.owner_name}`;
    const downloaded = await download(place, host.replace('*', name));
    log(`a download from an app: ${(downloaded.bytes / 1e6 / downloaded.seconds).toFixed(0)} MB/s`);
    return { keys, echo, tcp, download: downloaded, agentRestBytes };
  } finally {
    source.stop();
    await end();
  }
}
