import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';

import { AgentManifest } from '@berth/protocol/agent';
import { onTestFinished, vi } from 'vitest';

import type { Log } from '../log.ts';
import { workspaceOf } from '../workspace.ts';
import { openSshServer } from './ssh-server.ts';
import type { SshServer } from './ssh-server.ts';

const NO_ID = '00000000-0000-4000-8000-000000000000';

/** What a program said and how it ended. */
export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface SshHost {
  readonly server: SshServer;
  readonly home: string;
  /** Of the client, outside the workspace's home. */
  readonly folder: string;
  readonly port: number;
  /** The configuration by which OpenSSH's programs come here, at a host named `ws`: `-F` gives it to them. */
  readonly config: string;
  /** Warnings and errors of the server. */
  readonly complaints: string[];
  /** Runs `ssh` and waits for its end. */
  ssh(args: readonly string[], input?: string | Buffer): Promise<Ran>;
}

/** The SSH server of a workspace behind a TCP port, as OpenSSH's programs can reach it. Ends with the test. */
export async function sshHost(given: Partial<AgentManifest> = {}): Promise<SshHost> {
  const home = await mkdtemp(path.join(tmpdir(), 'berth-ssh-home-'));
  const folder = await mkdtemp(path.join(tmpdir(), 'berth-ssh-client-'));
  const manifest = AgentManifest.parse({
    agent_id: NO_ID,
    agent_name: 'main',
    workspace_id: NO_ID,
    workspace_name: 'garden',
    owner_username: 'ada',
    directory: '',
    environment: {},
    apps: [],
    scripts: [],
    metadata: [],
    access_url: 'http://127.0.0.1:1',
    motd_file: '',
    ...given,
  });
  const env = {
    url: 'http://127.0.0.1:1',
    token: '',
    logDir: folder,
    home,
    binDir: '',
    inherited: { PATH: pathOfTests(), SHELL: shell() },
  };
  const complaints: string[] = [];
  const log: Log = (level, message, error) => {
    if (level !== 'info') complaints.push(`${message}: ${String(error)}`);
  };
  const server = openSshServer({ workspace: Promise.resolve(workspaceOf(manifest, env)), log });
  const sockets = new Set<net.Socket>();
  const bridge = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    void server.open({ stream: '', holder: '' }).then((serve) => serve(socket));
  });
  bridge.listen(0, '127.0.0.1');
  await once(bridge, 'listening');
  onTestFinished(async () => {
    server.close();
    bridge.close();
    for (const socket of sockets) socket.destroy();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const { port } = bridge.address() as AddressInfo;
  const config = path.join(folder, 'config');
  await writeFile(config, clientConfig(port));
  return {
    server,
    home,
    folder,
    port,
    config,
    complaints,
    ssh: (args, input) => run('ssh', ['-F', config, ...args], { input }),
  };
}

function clientConfig(port: number): string {
  return [
    'Host ws',
    'HostName 127.0.0.1',
    `Port ${port}`,
    'User ada',
    'StrictHostKeyChecking no',
    'UserKnownHostsFile /dev/null',
    'IdentityFile none',
    'BatchMode yes',
    'LogLevel ERROR',
    '',
  ].join('\n');
}

export interface RunOptions {
  readonly input?: string | Buffer | undefined;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program to its end. Its input is what is given, then ends. */
export async function run(file: string, args: readonly string[], { input = '', cwd, env }: RunOptions = {}): Promise<Ran> {
  const child = spawn(file, args, { cwd, env: { PATH: pathOfTests(), HOME: tmpdir(), ...env }, stdio: 'pipe' });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, stdout: Buffer.concat(stdout), stderr: String(Buffer.concat(stderr)) };
}

/** Waits for a condition on a machine that may be busy. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitFor(
    async () => {
      if (!(await condition())) throw new Error('not yet');
    },
    { timeout: 30_000, interval: 20 },
  );
}

/** Whether a process of this id runs; one that has ended and waits to be asked for its code does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function pathOfTests(): string {
  return env('PATH') ?? '/usr/local/bin:/usr/bin:/bin';
}

function shell(): string {
  return userInfo().shell ?? '/bin/sh';
}

function env(name: string): string | undefined {
  // oxlint-disable-next-line node/no-process-env -- tests have no settings file
  return process.env[name];
}
