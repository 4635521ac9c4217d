import { TunnelError } from '@berth/protocol/tunnel';
import type { PtyChannel, PtyRequest } from '@berth/protocol/tunnel';

import type { Log } from './log.ts';
import { PtySession } from './pty-session.ts';
import { ScrollBack } from './scroll-back.ts';
import type { Workspace } from './workspace.ts';

/** Without anybody who works in it, a shell at its prompt is closed. */
const IDLE_MS = 5 * 60_000;
/** What one terminal remembers, as long as there is room for all of them; a quarter of it in any case. */
const SCROLL_BACK_BYTES = 1024 * 1024;
const SCROLL_BACK_TOTAL_BYTES = 16 * SCROLL_BACK_BYTES;
const ONLOOKERS_MAX = 32;
const TERMINALS_MAX = 64;
const ID_MAX = 128;

export interface Terminals {
  /** Finds the terminal of this id, or makes it for who does more than look on; what it answers attaches a viewer. */
  open(request: PtyRequest): Promise<(channel: PtyChannel) => void>;
  /** Terminals that run now. */
  readonly size: number;
  /** Viewers who work in them now. */
  readonly viewers: number;
  /** Loads what the first terminal needs, so that it comes up at once. */
  warmUp(): Promise<void>;
  /** Hangs up on all of them. */
  close(): void;
}

export interface TerminalOptions {
  readonly workspace: Promise<Workspace>;
  readonly log: Log;
  /** While false nobody could look at a terminal, so its idle time does not count. */
  readonly isReachable: () => boolean;
  /** Milliseconds without a viewer after which an idle shell is closed. */
  readonly idleMs?: number;
}

/**
 * The terminals of the workspace. Each outlives its viewers, the tunnel and the server. One that nobody has watched for 5 minutes is
 * closed, unless a program runs in it.
 */
export function openTerminals({ workspace, log, isReachable, idleMs = IDLE_MS }: TerminalOptions): Terminals {
  const sessions = new Map<string, Promise<PtySession>>();
  const live = new Set<PtySession>();

  async function start({ id, width, height, command }: PtyRequest): Promise<PtySession> {
    const [{ spawn }, { shell, cwd, environment }] = await Promise.all([import('@lydell/node-pty'), workspace]);
    const args = command === '' ? ['-l'] : ['-c', command];
    const pty = spawn(shell, args, {
      name: 'xterm-256color',
      cols: width,
      rows: height,
      cwd: cwd(),
      env: { ...environment(), TERM: 'xterm-256color', COLORTERM: 'truecolor' },
      // Bytes, not text: a character may lie across two reads.
      encoding: null,
    });
    log('info', `Terminal ${id} runs ${command === '' ? shell : 'a command'} as process ${pty.pid}`);
    let idleTimer: NodeJS.Timeout | undefined;
    const closeWhenIdle = (): void => {
      clearTimeout(idleTimer);
      idleTimer = setTimeout(() => {
        if (session.viewers > 0) return;
        if (isReachable() && !session.isBusy()) session.end();
        else closeWhenIdle();
      }, idleMs);
    };
    const session = new PtySession(pty, {
      onExit: () => {
        clearTimeout(idleTimer);
        sessions.delete(id);
        live.delete(session);
        log('info', `Terminal ${id} has ended`);
      },
      onUnwatched: closeWhenIdle,
      scrollBack: new ScrollBack(() =>
        Math.max(SCROLL_BACK_BYTES / 4, Math.min(SCROLL_BACK_BYTES, SCROLL_BACK_TOTAL_BYTES / Math.max(1, live.size))),
      ),
    });
    live.add(session);
    // The viewer may have left before the terminal was there.
    closeWhenIdle();
    return session;
  }

  return {
    open: async (request) => {
      if (request.id.length > ID_MAX) throw new Error('The id of the terminal is too long.');
      let session = sessions.get(request.id);
      if (request.isReadOnly) {
        if (session === undefined) throw new TunnelError('rejected', 'This terminal is not open.');
        const watched = await session;
        if (watched.onlookers >= ONLOOKERS_MAX) throw new TunnelError('rejected', `${ONLOOKERS_MAX} others look on already.`);
        return (channel) => watched.attach(channel, request);
      }
      if (session === undefined) {
        if (sessions.size >= TERMINALS_MAX) throw new Error(`This workspace has ${TERMINALS_MAX} terminals open already. Close one first.`);
        session = start(request);
        sessions.set(request.id, session);
        session.catch(() => sessions.delete(request.id));
      }
      const opened = await session;
      return (channel) => opened.attach(channel, request);
    },
    get size() {
      return live.size;
    },
    get viewers() {
      let viewers = 0;
      for (const session of live) viewers += session.viewers;
      return viewers;
    },
    warmUp: async () => {
      await import('@lydell/node-pty');
    },
    close: () => {
      for (const session of live) session.end();
    },
  };
}
