import { PROTOCOL_VERSION } from '@berth/protocol/agent';

import { watchAppHealth } from './app-health.ts';
import type { AgentEnv } from './env.ts';
import { serveGitCredentials } from './git-credentials.ts';
import { trackLifecycle } from './lifecycle.ts';
import { queueLogs } from './log-queue.ts';
import type { Log } from './log.ts';
import { collectMetadata } from './metadata.ts';
import { listeningPorts } from './ports.ts';
import { scriptRunner } from './scripts.ts';
import type { ScriptRunner } from './scripts.ts';
import { openSession } from './session.ts';
import { openSshServer } from './ssh/ssh-server.ts';
import { reportStats } from './stats.ts';
import { openTerminals } from './terminals.ts';
import { within } from './timing.ts';
import { connectLoopback, dialTunnel } from './tunnel.ts';
import { workspaceOf } from './workspace.ts';

/** For a server that is being started again. Whoever stops the workspace kills what takes too long; until then nothing that was said is given up. */
const LAST_REPORTS_MS = 120_000;

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
}

/**
 * Starts the workspace's agent: it dials the server and serves it, runs the scripts once, and goes on whatever becomes of the server. What
 * runs in the workspace belongs to this process, never to a connection.
 */
export function startAgent({ env, version, log, command, pipesGraceMs }: AgentOptions): Agent {
  const stopping = new AbortController();
  const session = openSession({
    url: env.url,
    token: env.token,
    log,
    onOpen: () => tunnel.hurry(),
    startup: (manifest) => ({
      version,
      protocol_version: PROTOCOL_VERSION,
      expanded_directory: workspaceOf(manifest, env).directory,
      subsystems: [],
    }),
  });
  const git = command === undefined ? Promise.resolve(null) : serveGitCredentials({ session, command, log }).catch(withoutGit);
  const workspace = Promise.all([session.manifest, git]).then(([manifest, made]) => workspaceOf(manifest, env, made?.environment));
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
  const lifecycle = trackLifecycle(session, log);
  const logs = queueLogs(session, log);
  let scripts: ScriptRunner | undefined;

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
      ...(pipesGraceMs === undefined ? {} : { pipesGraceMs }),
    });
    const started = scripts.run('start');
    collectMetadata({ descriptions: manifest.metadata, workspace: place, session, log, signal });
    watchAppHealth({ apps: manifest.apps, session, log, signal });
    void reportStats({ session, tunnel, terminals, ssh, log, signal });
    void terminals.warmUp();
    const outcome = await started;
    if (signal.aborted) return;
    lifecycle.set(outcome === 'failed' ? 'start_error' : outcome === 'timed_out' ? 'start_timeout' : 'ready');
    await scripts.startSchedules();
  }
  run().catch((error: unknown) => log('error', 'The workspace could not be started', error));

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
  }
  let stopped: Promise<void> | undefined;
  return {
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
