import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/** The signals of RFC 4254, which a client may send and an exit may name. */
const NAMES = ['ABRT', 'ALRM', 'FPE', 'HUP', 'ILL', 'INT', 'KILL', 'PIPE', 'QUIT', 'SEGV', 'TERM', 'USR1', 'USR2'] as const;
const KILL_GRACE_MS = 10_000;

/** The signal that a client names without `SIG`; undefined for one that it may not send. */
export function signalNamed(name: string): NodeJS.Signals | undefined {
  const known = NAMES.find((each) => each === name);
  return known === undefined ? undefined : `SIG${known}`;
}

/** The name of a signal by its number, without `SIG`. */
export function signalNumbered(number: number): string | undefined {
  return Object.entries(constants.signals)
    .find(([, value]) => value === number)?.[0]
    .slice(3);
}

/** Sends a signal to the group that a process leads. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone already.
  }
}

/**
 * Tells the group of a process that its user has left, and kills the process itself if it has not ended ten seconds later. Whoever chose to
 * outlive a hang-up (`nohup`) does.
 */
export function hangUp(pid: number, hasEnded: () => boolean): void {
  signalGroup(pid, 'SIGHUP');
  // What is stopped hears it only when it goes on.
  signalGroup(pid, 'SIGCONT');
  setTimeout(() => {
    if (hasEnded() || ignoresHangUp(pid)) return;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended a moment ago.
    }
  }, KILL_GRACE_MS).unref();
}

function ignoresHangUp(pid: number): boolean {
  try {
    const [, mask = '0'] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (BigInt(`0x${mask}`) & (1n << BigInt(constants.signals.SIGHUP - 1))) !== 0n;
  } catch {
    return false;
  }
}
