import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { AgentManifest } from '@berth/protocol/agent';
import { PROTOCOL_VERSION } from '@berth/protocol/agent';

import { watchAppHealth } from './app-health.ts';
import type { AgentEnv } from './env.ts';
import { serveGitCredentials } from './git-credentials.ts';
import { trackLifecycle } from './lifecycle.ts';
import { queueLogs } from './log-queue.ts';
import type { Log } from './log.ts';
import { collectMetadata } from './metadata.ts';
import { listeningPorts } from './ports.ts';
import { binDirOf, scriptRunner } from './scripts.ts';
import type { ScriptRunner } from './scripts.ts';
import { openSession } from './session.ts';
import { openSshServer } from './ssh/ssh-server.ts';
import { reportStats } from './stats.ts';
import { openTerminals } from './terminals.ts';
import { within } from './timing.ts';
import { connectLoopback, dialTunnel } from './tunnel.ts';
import type { Program } from './update/fetch-program.ts';
import type { Handover } from './update/handover.ts';
import { createUpdater } from './update/updater.ts';
import { workspaceOf } from './workspace.ts';
import type { Workspace } from './workspace.ts';

/** For a server that is being started again. Whoever stops the workspace kills what takes too long; until then nothing that was said is given up. */
const LAST_REPORTS_MS = 120_000;

/** For the last words of a version that hands over to another one. The server is there then, or this can wait. */
const HANDOVER_MS = 30_000;

export interface Agent {
  /** Runs the stop scripts, says goodbye and closes every terminal. May be called again; all callers wait for the same end. */
  stop(): Promise<void>;
}

export interface AgentOptions {
  readonly env: AgentEnv;
  readonly version: string;
  readonly log: Log;
  /** What starts this program again, for git; without it git is left alone. */
  readonly command?: readonly string[];
  /** Milliseconds after a script's end in which its output must end too. */
  readonly pipesGraceMs?: number;
  /** What an earlier version of the agent was in the middle of, whose place in this process this one takes. */
  readonly handover?: Handover | undefined;
  /** Becomes another version, which begins with what is handed over; without it the agent stays as it is. */
  readonly become?: (program: Program, handover: Handover) => void;
}

/**
 * Starts the workspace's agent: it dials the server and serves it, runs the scripts once, and goes on whatever becomes of the server. What
 * runs in the workspace belongs to this process, never to a connection.
 */
export function startAgent(options: AgentOptions): Agent {
  const { env, version, log, command, pipesGraceMs, handover } = options;
  const stopping = new AbortController();
  const folder = handover?.folder ?? privateFolder(log);
  const binDir = folder === undefined ? '' : binDirOf(folder);
  const session = openSession({
    url: env.url,
    token: env.token,
    log,
    onOpen: () => tunnel.hurry(),
    onManifest: (manifest) => updater?.heard(manifest.server_version ?? ''),
    startup: (manifest) => ({
      version,
      protocol_version: PROTOCOL_VERSION,
      expanded_directory: workspaceOf(manifest, env).directory,
      subsystems: [],
    }),
  });
  const gitFolder = handover?.git_folder || undefined;
  const git =
    command === undefined ? Promise.resolve(null) : serveGitCredentials({ session, command, log, folder: gitFolder }).catch(withoutGit);
  const workspace = Promise.all([session.manifest, git]).then(([manifest, made]) =>
    workspaceOf(manifest, env, { standard: made?.environment ?? {}, binDir }),
  );
  const terminals = openTerminals({ workspace, log, isReachable: () => tunnel.isOpen });
  const ssh = openSshServer({ workspace, log });
  const tunnel = dialTunnel({
    url: env.url,
    token: env.token,
    log,
    handlers: {
      pty: (request) => terminals.open(request),
      tcp: connectLoopback,
      listeningPorts: listeningPorts(),
      ssh: (request) => ssh.open(request),
    },
  });
  function withoutGit(error: unknown): null {
    log('warn', 'Git gets no credentials in this workspace', error);
    return null;
  }
  const lifecycle = trackLifecycle(session, log, handover?.lifecycle);
  const logs = queueLogs(session, log);
  let scripts: ScriptRunner | undefined;
  let work: { stop(): Promise<void> } | undefined;

  /** What an agent does besides serving: until it is stopped, or becomes another one. */
  function startWork(manifest: AgentManifest, place: Workspace): { stop(): Promise<void> } {
    const quit = new AbortController();
    const signal = AbortSignal.any([stopping.signal, quit.signal]);
    const collected = collectMetadata({ descriptions: manifest.metadata, workspace: place, session, log, signal });
    watchAppHealth({ apps: manifest.apps, workspaceId: manifest.workspace_id, session, log, signal });
    void reportStats({ session, tunnel, terminals, ssh, log, signal });
    return {
      stop: async () => {
        quit.abort();
        scripts?.stopSchedules();
        await within(5000, collected);
      },
    };
  }

  async function run(): Promise<void> {
    const [manifest, place] = await Promise.all([session.manifest, workspace]);
    if (stopping.signal.aborted) return;
    lifecycle.set('starting');
    const { signal } = stopping;
    scripts = scriptRunner({
      scripts: manifest.scripts,
      workspace: place,
      session,
      logs,
      logDir: env.logDir,
      log,
      folder,
      ...(pipesGraceMs === undefined ? {} : { pipesGraceMs }),
    });
    const started = handover === undefined ? scripts.run('start') : undefined;
    scripts.resumeOutputs(handover?.outputs ?? []);
    work = startWork(manifest, place);
    void terminals.warmUp();
    const outcome = await started;
    if (signal.aborted) return;
    if (outcome !== undefined) lifecycle.set(outcome === 'failed' ? 'start_error' : outcome === 'timed_out' ? 'start_timeout' : 'ready');
    await scripts.startSchedules();
  }
  run().catch((error: unknown) => log('error', 'The workspace could not be started', error));

  /** Whether somebody or something would be disturbed if this process began anew. */
  function use(): 'busy' | 'connected' | 'free' {
    const isStarted = ['ready', 'start_error', 'start_timeout'].includes(lifecycle.state);
    if (!isStarted || scripts === undefined || stopping.signal.aborted) return 'busy';
    if (terminals.size > 0 || ssh.connections > 0 || scripts.running > 0 || scripts.bound > 0) return 'busy';
    return tunnel.stats().streams > 0 ? 'connected' : 'free';
  }

  /** Says what is left to say, and becomes the other version; false when this has to wait. */
  async function become(program: Program): Promise<false> {
    const [manifest, place, helpers] = await Promise.all([session.manifest, workspace, git]);
    if (scripts === undefined || work === undefined || folder === undefined) return false;
    await work.stop();
    const outputs = await scripts.pauseOutputs();
    const reported = Promise.all([logs.flush(), scripts.flushed(), lifecycle.flushed()]).then(() => true);
    const isSaid = (await within(HANDOVER_MS, reported)) === true;
    if (isSaid && use() !== 'busy') {
      helpers?.leave();
      options.become?.(program, {
        url: env.url,
        token: env.token,
        from_version: version,
        lifecycle: lifecycle.state,
        folder,
        git_folder: helpers?.folder ?? '',
        outputs,
      });
    }
    if (stopping.signal.aborted) return false;
    scripts.resumeOutputs(outputs);
    work = startWork(manifest, place);
    await scripts.startSchedules();
    return false;
  }
  const [, program = ''] = command ?? [];
  const updater =
    !env.updates || options.become === undefined || folder === undefined
      ? undefined
      : createUpdater({
          version,
          log,
          fetch: async (wanted, signal) => {
            const { fetchProgram, updateParents } = await fetching();
            const parents = updateParents(program, folder);
            return await fetchProgram({ url: env.url, version: wanted, parents, environment: env.inherited, signal });
          },
          use,
          become,
          signal: stopping.signal,
          spreadMs: env.updateSeconds * 1000,
        });
  if (handover !== undefined) {
    log('info', `Version ${version} of the agent goes on where ${handover.from_version} was`);
    void fetching()
      .then(({ removeEarlierPrograms }) => removeEarlierPrograms(program))
      .catch((error: unknown) => log('warn', 'Earlier versions of the agent could not be removed', error));
  }

  async function stop(): Promise<void> {
    stopping.abort();
    scripts?.stopSchedules();
    lifecycle.set('shutting_down');
    const outcome = await scripts?.run('stop');
    lifecycle.set(outcome === 'failed' ? 'shutdown_error' : outcome === 'timed_out' ? 'shutdown_timeout' : 'off');
    terminals.close();
    ssh.close();
    await within(LAST_REPORTS_MS, Promise.all([logs.flush(), scripts?.flushed(), lifecycle.flushed()]));
    tunnel.close();
    await session.close();
    await (await git)?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
  let stopped: Promise<void> | undefined;
  return {
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Most agents never fetch a version. */
const fetching = () => import('./update/fetch-program.ts');

/** A folder that only this user can enter, for as long as the workspace runs; undefined where nothing can be written. */
function privateFolder(log: Log): string | undefined {
  try {
    return mkdtempSync(path.join(tmpdir(), 'berth-agent-'));
  } catch (error) {
    log('warn', 'There is no temporary folder: the agent does without updates and a place for programs of scripts', error);
    return undefined;
  }
}
