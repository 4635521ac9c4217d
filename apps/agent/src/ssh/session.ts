import { once } from 'node:events';

import type { PseudoTtyInfo, ServerChannel, Session } from 'ssh2';

import type { Log } from '../log.ts';
import type { Workspace } from '../workspace.ts';
import { shareKeyAgent } from './key-agent.ts';
import type { KeyAgents } from './key-agent.ts';
import { messageOfTheDay } from './motd.ts';
import { startPiped } from './piped-process.ts';
import { failToStart } from './process.ts';
import type { RunningProcess } from './process.ts';
import { SESSION_KIND_VARIABLE, sessionKind } from './session-counts.ts';
import type { SessionCounter } from './session-counts.ts';
import { serveSftp } from './sftp/serve-sftp.ts';
import { signalNamed } from './signals.ts';
import { startInTerminal } from './terminal-process.ts';

const VARIABLES_MAX = 128;
const VALUE_MAX = 32 * 1024;
/** Ours to say: the server's own variables, and where an SSH session comes from. */
const RESERVED = /^(?:BERTH_|SSH_)/;
/** The client is at the other end of the tunnel; programs only look whether these are there. */
const NOWHERE = { SSH_CLIENT: '0.0.0.0 0 0', SSH_CONNECTION: '0.0.0.0 0 0.0.0.0 0' };

export interface SessionOptions {
  readonly session: Session;
  readonly workspace: Workspace;
  readonly counter: SessionCounter;
  readonly keyAgents: KeyAgents;
  readonly log: Log;
}

/** Serves one session channel: the client says how, then asks for a shell, a command or file transfer. Answers what to do when the client leaves. */
export function serveSession({ session, workspace, counter, keyAgents, log }: SessionOptions): () => void {
  const asked: Record<string, string> = {};
  let kind = sessionKind(undefined);
  let terminal: PseudoTtyInfo | undefined;
  let wantsKeyAgent = false;
  let running: RunningProcess | undefined;
  let endCount: (() => void) | undefined;
  const left = new AbortController();

  // Answers are left out at run time when the client wants none.
  session.on('env', (accept, reject, { key, val }) => {
    if (key === SESSION_KIND_VARIABLE) {
      kind = sessionKind(val);
      accept?.();
    } else if (isAcceptable(key, val) && Object.keys(asked).length < VARIABLES_MAX) {
      asked[key] = val;
      accept?.();
    } else {
      reject?.();
    }
  });
  session.on('pty', (accept, _reject, info) => {
    terminal = info;
    accept?.();
  });
  session.on('window-change', (accept, _reject, { cols, rows }) => {
    if (terminal !== undefined) terminal = { ...terminal, cols, rows };
    running?.resize({ cols, rows });
    accept?.();
  });
  session.on('signal', (accept, reject, { name }) => {
    const signal = signalNamed(name);
    if (signal === undefined || running === undefined) {
      reject?.();
      return;
    }
    running.signal(signal);
    accept?.();
  });
  session.on('auth-agent', (accept) => {
    wantsKeyAgent = true;
    accept?.();
  });
  // The channel is accepted at once: the client may have said already that its input has ended.
  session.on('shell', (accept) => begin(accept(), undefined));
  session.on('exec', (accept, _reject, { command }) => begin(accept(), command));
  session.on('subsystem', (accept, reject, { name }) => {
    if (name !== 'sftp') {
      reject?.();
      return;
    }
    const channel = accept();
    ignoreErrors(channel);
    const end = counter.begin(kind);
    serveSftp({ channel, home: workspace.environment()['HOME'] ?? '/', signal: left.signal })
      .catch((error: unknown) => log('warn', 'A file transfer broke off', error))
      .finally(end);
  });
  session.on('close', leave);

  function begin(channel: ServerChannel, command: string | undefined): void {
    endCount = counter.begin(kind);
    ignoreErrors(channel);
    start(channel, command).catch((error: unknown) => {
      log('warn', 'An SSH session could not be started', error);
      endCount?.();
      failToStart(channel, error);
    });
  }

  async function start(channel: ServerChannel, command: string | undefined): Promise<void> {
    const env: Record<string, string> = { ...workspace.environment(asked), ...NOWHERE };
    env['LOGNAME'] ??= env['USER'] ?? '';
    if (wantsKeyAgent) Object.assign(env, await shareKeyAgent(keyAgents));
    if (terminal !== undefined && command === undefined) {
      const message = await messageOfTheDay(workspace.motdFile, env['HOME'] ?? '/');
      if (message !== '' && !channel.write(message)) await once(channel, 'drain');
    }
    if (left.signal.aborted) return;
    const started = {
      channel,
      file: workspace.shell,
      args: command === undefined ? ['-l'] : ['-c', command],
      cwd: workspace.cwd(),
      env,
      onEnd: () => endCount?.(),
    };
    running = terminal === undefined ? startPiped(started) : await startInTerminal(started, terminal);
    if (left.signal.aborted) running?.hangUp();
    else if (terminal !== undefined) running?.resize(terminal);
  }

  function leave(): void {
    if (left.signal.aborted) return;
    left.abort();
    endCount?.();
    running?.hangUp();
  }
  return leave;
}

/** A name that every shell can hold, which is not ours; a value without an end inside. */
function isAcceptable(name: string, value: string): boolean {
  return /^[A-Za-z_]\w{0,127}$/.test(name) && !RESERVED.test(name) && value.length <= VALUE_MAX && !value.includes('\0');
}

/** A client may leave while we write; what follows from that is done when its channel closes. */
function ignoreErrors(channel: ServerChannel): void {
  channel.on('error', () => undefined);
  channel.stderr.on('error', () => undefined);
}
