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

/** A client's side: what programs of OpenSSH need to come to a host named `ws`. */
export interface SshClient {
  /** Of the client, outside the workspace's home. */
  readonly folder: string;
  readonly port: number;
  /** The configuration by which OpenSSH's programs come to `ws`: `-F` gives it to them. */
  readonly config: string;
  /** Runs `ssh` and waits for its end. */
  ssh(args: readonly string[], input?: string | Buffer): Promise<Ran>;
}

export interface SshHost extends SshClient {
  readonly server: SshServer;
  readonly home: string;
  /** Warnings and errors of the server. */
  readonly complaints: string[];
}

/** The SSH server of a workspace behind a TCP port, as OpenSSH's programs can reach it. Ends with the test. */
export async function sshHost(given: Partial<AgentManifest> = {}): Promise<SshHost> {
  const home = await mkdtemp(path.join(tmpdir(), 'berth-ssh-home-'));
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
  const inherited = { PATH: pathOfTests(), SHELL: userInfo().shell ?? '/bin/sh' };
  const env = { url: 'http://127.0.0.1:1', token: '', logDir: home, home, updates: false, updateSeconds: 0, inherited };
  const complaints: string[] = [];
  const log: Log = (level, message, error) => {
    if (level !== 'info') complaints.push(`${message}: ${String(error)}`);
  };
  const server = openSshServer({ workspace: Promise.resolve(workspaceOf(manifest, env)), log });
  onTestFinished(async () => {
    server.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });
  const client = await sshClient((socket) => void server.open({ stream: '', holder: '' }).then((serve) => serve(socket)));
  return { ...client, server, home, complaints };
}

/** What OpenSSH's programs need to come to a server: each of their connections is handed to `serve`. Ends with the test. */
export async function sshClient(serve: (socket: net.Socket) => void): Promise<SshClient> {
  const folder = await mkdtemp(path.join(tmpdir(), 'berth-ssh-client-'));
  const sockets = new Set<net.Socket>();
  const bridge = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serve(socket);
  });
  bridge.listen(0, '127.0.0.1');
  await once(bridge, 'listening');
  onTestFinished(async () => {
    bridge.close();
    for (const socket of sockets) socket.destroy();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const { port } = bridge.address() as AddressInfo;
  const config = path.join(folder, 'config');
  await writeFile(config, clientConfig(port));
  return { folder, port, config, ssh: (args, input) => run('ssh', ['-F', config, ...args], { input }) };
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

function env(name: string): string | undefined {
  // oxlint-disable-next-line node/no-process-env -- tests have no settings file
  return process.env[name];
}
