import { readFileSync } from 'node:fs';

import type { PtyChannel, TerminalSize } from '@berth/protocol/tunnel';
import type { IPty } from '@lydell/node-pty';

import type { ScrollBack } from './scroll-back.ts';

/** More unread output than this stops the program, as a slow terminal would. A whole scroll-back has to fit. */
const VIEWER_BACKLOG_BYTES = 2 * 1024 * 1024;
/** A viewer that holds the program up for longer loses its place; it may attach again. */
const STALL_MS = 30_000;

/** `node-pty` takes bytes as well as text; its types only say text. */
export interface BytePty extends IPty {
  write(data: string | Buffer): void;
}

/** How somebody comes to see a terminal. */
export interface Attachment extends TerminalSize {
  /** Looks on: what it types and how large it is does not count, and it holds nobody up. */
  readonly isReadOnly: boolean;
}

/**
 * One running terminal with any number of viewers. It ends with its process, never with a viewer. It is as large as the viewer who was
 * active last (who came, typed or changed the size), and everybody else sees that size.
 */
export class PtySession {
  readonly #pty: BytePty;
  readonly #scrollBack: ScrollBack;
  /** Those who work in it, by their sizes; who was active last comes last. */
  readonly #workers = new Map<PtyChannel, TerminalSize>();
  readonly #onlookers = new Set<PtyChannel>();
  #size: TerminalSize;
  readonly #onUnwatched: () => void;
  #stallTimer: NodeJS.Timeout | undefined;

  constructor(pty: BytePty, { scrollBack, ...events }: { onExit: () => void; onUnwatched: () => void; scrollBack: ScrollBack }) {
    this.#pty = pty;
    this.#scrollBack = scrollBack;
    this.#size = { width: pty.cols, height: pty.rows };
    this.#onUnwatched = events.onUnwatched;
    pty.onData((data: string | Buffer) => this.#show(typeof data === 'string' ? Buffer.from(data) : data));
    pty.onExit(({ exitCode, signal }) => {
      events.onExit();
      for (const viewer of this.#everybody()) viewer.finish({ exitCode, signal: signal || null });
      this.#workers.clear();
      this.#onlookers.clear();
      clearTimeout(this.#stallTimer);
    });
  }

  /** Those who work in it; who only looks on keeps no terminal open. */
  get viewers(): number {
    return this.#workers.size;
  }

  get onlookers(): number {
    return this.#onlookers.size;
  }

  /** Shows the terminal to one more viewer, what happened so far first. */
  attach(viewer: PtyChannel, { isReadOnly, width, height }: Attachment): void {
    if (isReadOnly) {
      this.#onlookers.add(viewer);
      viewer.write(sizeReport(this.#size));
    } else {
      this.#lead(viewer, { width, height });
    }
    const past = this.#scrollBack.snapshot();
    if (past.length > 0) viewer.write(past);
    viewer.on('data', (typed: Buffer) => {
      const size = this.#workers.get(viewer);
      if (size === undefined) return;
      this.#lead(viewer, size);
      this.#pty.write(typed);
    });
    viewer.on('resize', (size: TerminalSize) => {
      if (this.#workers.has(viewer)) this.#lead(viewer, size);
    });
    viewer.on('drain', () => this.#resumeIfPossible());
    viewer.once('close', () => {
      if (this.#onlookers.delete(viewer) || !this.#workers.delete(viewer)) return;
      this.#resumeIfPossible();
      const [, size] = [...this.#workers].at(-1) ?? [];
      if (size === undefined) this.#onUnwatched();
      else this.#resize(size);
    });
  }

  /** True while a program other than the shell has the terminal, as far as the system tells. */
  isBusy(): boolean {
    try {
      const stat = readFileSync(`/proc/${this.#pty.pid}/stat`, 'utf8');
      // The fields after the command's name, which may hold anything: state, parent, group, session, terminal, foreground group.
      const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return foreground !== undefined && foreground !== '-1' && foreground !== group;
    } catch {
      return false;
    }
  }

  /** Hangs up. */
  end(): void {
    try {
      this.#pty.kill('SIGHUP');
    } catch {
      // It has ended already.
    }
  }

  #everybody(): PtyChannel[] {
    return [...this.#workers.keys(), ...this.#onlookers];
  }

  /** The viewer is the one who was active last. */
  #lead(viewer: PtyChannel, size: TerminalSize): void {
    this.#workers.delete(viewer);
    this.#workers.set(viewer, size);
    this.#resize(size);
  }

  #show(data: Buffer): void {
    this.#scrollBack.push(data);
    for (const viewer of this.#everybody()) viewer.write(data);
    for (const viewer of this.#onlookers) if (isSlow(viewer)) viewer.destroy();
    if (this.#stallTimer !== undefined || this.#slow().length === 0) return;
    this.#pty.pause();
    this.#stallTimer = setTimeout(() => {
      for (const viewer of this.#slow()) viewer.destroy();
    }, STALL_MS);
  }

  #slow(): PtyChannel[] {
    return [...this.#workers.keys()].filter(isSlow);
  }

  #resumeIfPossible(): void {
    if (this.#stallTimer === undefined || this.#slow().length > 0) return;
    clearTimeout(this.#stallTimer);
    this.#stallTimer = undefined;
    this.#pty.resume();
  }

  #resize({ width, height }: TerminalSize): void {
    if (width === this.#size.width && height === this.#size.height) return;
    this.#size = { width, height };
    try {
      this.#pty.resize(width, height);
    } catch {
      // The process ended a moment ago.
    }
    for (const viewer of this.#onlookers) viewer.write(sizeReport(this.#size));
  }
}

/** The sequence by which terminals are told their size (CSI 8 t of xterm): on a screen of another size, nothing is where it belongs. */
function sizeReport({ width, height }: TerminalSize): string {
  return `\u001B[8;${height};${width}t`;
}

function isSlow(viewer: PtyChannel): boolean {
  return viewer.writableLength > VIEWER_BACKLOG_BYTES;
}
