import { fstatSync } from 'node:fs';
import type { EventEmitter } from 'node:events';

export interface ParentSigns {
  /** Emits `disconnect` when the IPC channel ends. */
  readonly process: EventEmitter & { readonly connected?: boolean };
  /** Standard input, when it is a pipe that the parent holds. */
  readonly stdin: (EventEmitter & { resume(): unknown }) | undefined;
}

/** Calls `gone` once, as soon as whoever started this process has died or hung up. Without a channel to it: never. */
export function onParentGone(signs: ParentSigns, gone: () => void): void {
  let told = false;
  const once = () => {
    if (told) return;
    told = true;
    gone();
  };
  if (signs.process.connected === true) signs.process.once('disconnect', once);
  if (signs.stdin !== undefined) {
    signs.stdin.once('end', once);
    signs.stdin.once('close', once);
    signs.stdin.once('error', once);
    signs.stdin.resume();
  }
}

/** Whether standard input is a pipe or a socket: a terminal, a file and /dev/null say nothing about a parent. */
export function stdinIsPipe(): boolean {
  try {
    const info = fstatSync(0);
    return info.isFIFO() || info.isSocket();
  } catch {
    return false;
  }
}
