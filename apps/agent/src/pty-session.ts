import { readFileSync } from 'node:fs';

import type { PtyChannel, TerminalSize } from '@berth/protocol/tunnel';
import type { IPty } from '@lydell/node-pty';

import { ScrollBack } from './scroll-back.ts';

const SCROLL_BACK_BYTES = 256 * 1024;
/** More unread output than this stops the program, as a slow terminal would. */
const VIEWER_BACKLOG_BYTES = 1024 * 1024;
/** A viewer that holds the program up for longer loses its place; it may attach again. */
const STALL_MS = 10_000;

/** `node-pty` takes bytes as well as text; its types only say text. */
export interface BytePty extends IPty {
  write(data: string | Buffer): void;
}

/** One running terminal with any number of viewers. It ends with its process, never with a viewer. */
export class PtySession {
  readonly #pty: BytePty;
  readonly #scrollBack = new ScrollBack(SCROLL_BACK_BYTES);
  readonly #viewers = new Set<PtyChannel>();
  readonly #onUnwatched: () => void;
  #stallTimer: NodeJS.Timeout | undefined;

  constructor(pty: BytePty, events: { onExit: () => void; onUnwatched: () => void }) {
    this.#pty = pty;
    this.#onUnwatched = events.onUnwatched;
    pty.onData((data: string | Buffer) => this.#show(typeof data === 'string' ? Buffer.from(data) : data));
    pty.onExit(({ exitCode, signal }) => {
      events.onExit();
      for (const viewer of this.#viewers) viewer.finish({ exitCode, signal: signal || null });
      this.#viewers.clear();
      clearTimeout(this.#stallTimer);
    });
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  /** Shows the terminal to one more viewer, what happened so far first. */
  attach(viewer: PtyChannel, size: TerminalSize): void {
    this.#viewers.add(viewer);
    this.#resize(size);
    const past = this.#scrollBack.snapshot();
    if (past.length > 0) viewer.write(past);
    viewer.on('data', (typed: Buffer) => this.#pty.write(typed));
    viewer.on('resize', (next: TerminalSize) => this.#resize(next));
    viewer.on('drain', () => this.#resumeIfPossible());
    viewer.once('close', () => {
      if (!this.#viewers.delete(viewer)) return;
      this.#resumeIfPossible();
      if (this.#viewers.size === 0) this.#onUnwatched();
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

  #show(data: Buffer): void {
    this.#scrollBack.push(data);
    let isStalled = false;
    for (const viewer of this.#viewers) {
      viewer.write(data);
      if (viewer.writableLength > VIEWER_BACKLOG_BYTES) isStalled = true;
    }
    if (!isStalled || this.#stallTimer !== undefined) return;
    this.#pty.pause();
    this.#stallTimer = setTimeout(() => {
      for (const viewer of this.#slow()) viewer.destroy();
    }, STALL_MS);
  }

  #slow(): PtyChannel[] {
    return [...this.#viewers].filter((viewer) => viewer.writableLength > VIEWER_BACKLOG_BYTES);
  }

  #resumeIfPossible(): void {
    if (this.#stallTimer === undefined || this.#slow().length > 0) return;
    clearTimeout(this.#stallTimer);
    this.#stallTimer = undefined;
    this.#pty.resume();
  }

  #resize({ width, height }: TerminalSize): void {
    try {
      this.#pty.resize(width, height);
    } catch {
      // The process ended a moment ago.
    }
  }
}
