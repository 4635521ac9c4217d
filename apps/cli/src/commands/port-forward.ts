import { setTimeout as pause } from 'node:timers/promises';
import type { Duplex } from 'node:stream';

import { DomainError } from '@berth/core';

import { parsePortForward, placeOf } from '../connect/forward-specs.ts';
import type { ForwardSpec } from '../connect/forward-specs.ts';
import { READY_OPTIONS, readyOptions } from '../connect/options.ts';
import { readyAgent } from '../connect/ready-agent.ts';
import type { ReadyAgent } from '../connect/ready-agent.ts';
import type { Cli } from '../frame/cli.ts';
import { defineCommand, required, texts } from '../frame/declare.ts';
import { EXIT, usageError } from '../frame/errors.ts';
import { AGENT_FORM } from '../frame/workspace-ref.ts';

/** A connection that is made while the server restarts waits for so long. */
const PATIENCE_MS = 20_000;
const AGAIN_MS = 250;

export const portForward = defineCommand({
  name: 'port-forward',
  summary: 'Forward ports of this machine to a workspace',
  description:
    'Listens on ports of this machine and forwards each connection to a port of the workspace, until Ctrl-C. Only this machine can connect unless you give another address to listen on. New connections keep working after a server restart. TCP only.',
  args: { workspace: required(AGENT_FORM, { complete: 'workspace' }) },
  options: {
    tcp: texts('-p, --tcp <ports>', '[address:]port[:workspace-port]; may be given several times, or separated by commas'),
    ...READY_OPTIONS,
  },
  examples: [
    'berth port-forward harbour --tcp 8080',
    'berth port-forward harbour --tcp 8080:80,5432',
    'berth port-forward harbour --tcp 0.0.0.0:3000:3000',
  ],
  prints: false,
  async run(cli, { args, options }) {
    const specs = options.tcp.flatMap((given) => given.split(',')).map(parsePortForward);
    if (specs.length === 0) throw usageError('Missing --tcp <ports>.', { next: 'For example: --tcp 8080:80' });
    const loaded = import('../connect/listen-locally.ts');
    const [ready, { listenLocally }] = await Promise.all([readyAgent(cli, readyOptions(args.workspace, options)), loaded]);
    const servers: { close(): void; closeAllConnections?(): void }[] = [];
    try {
      for (const spec of specs) {
        const { server, port } = await listenLocally(
          spec,
          (socket) => openPort(cli, { ready, spec, socket }),
          (sentence) => cli.out.note(sentence),
        );
        servers.push(server);
        cli.out.line(`${placeOf(spec.listenHost, port)} forwards to port ${spec.port} of ${ready.workspace.name}`);
      }
      cli.out.note('Press Ctrl-C to stop.');
      await new Promise<void>((resolve) => {
        if (cli.signal.aborted) resolve();
        else cli.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      return EXIT.interrupted;
    } finally {
      for (const server of servers) server.close();
    }
  },
});

interface Opening {
  readonly ready: ReadyAgent;
  readonly spec: ForwardSpec;
  readonly socket: Duplex;
}

/** One WebSocket for one connection; tried again while the server, or the way to it, is away. */
async function openPort(cli: Cli, { ready: { agent, workspace }, spec, socket }: Opening): Promise<Duplex> {
  const { openDoor } = await import('../connect/open-door.ts');
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  const signal = AbortSignal.any([cli.signal, gone.signal]);
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await openDoor(cli.session(), `/api/v2/workspaceagents/${agent.id}/tcp?port=${spec.port}`, signal);
    } catch (error) {
      const isFinal = error instanceof DomainError && error.kind !== 'rate_limited' && error.kind !== 'unavailable';
      if (isFinal || signal.aborted || performance.now() > deadline) {
        throw new Error(`Port ${spec.port} of ${workspace.name}: ${error instanceof Error ? error.message : 'it cannot be reached'}`, {
          cause: error,
        });
      }
      await pause(AGAIN_MS);
    }
  }
}
