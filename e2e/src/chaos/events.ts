import type { Random } from './random.ts';

/** What may happen to a running product, and how often each in a hundred. */
const WEIGHTS = {
  'kill server': 22,
  'end server': 6,
  'freeze server': 7,
  'kill provisioner': 14,
  'end provisioner': 5,
  'freeze provisioner': 5,
  'kill daemon': 10,
  'end daemon': 4,
  'freeze daemon': 4,
  'kill database': 8,
  'end database': 2,
  'freeze database': 2,
  'kill session': 6,
  'end session': 3,
  'power cut': 2,
} as const;

/**
 * `kill`: SIGKILL. `end`: SIGTERM, as a supervisor does. `freeze`: SIGSTOP, and SIGCONT later. The provisioner is the one that the
 * server starts, the daemon one of another host (here: of another folder). A session is one backend of PostgreSQL. A power cut takes
 * everything but the workspaces at once.
 */
export type EventKind = keyof typeof WEIGHTS;
export const EVENT_KINDS = Object.keys(WEIGHTS) as readonly EventKind[];

export interface ChaosEvent {
  readonly number: number;
  readonly kind: EventKind;
  /** Quiet time before it. */
  readonly afterMs: number;
  /** Whether the quiet time begins only when the server answers again; otherwise it may hit one that is just starting. */
  readonly waits: boolean;
  /** How long a frozen victim stays so. */
  readonly frozenMs: number;
  /** From 0 up to 1: which of several victims. */
  readonly which: number;
}

/**
 * The events of a run. Some follow each other while the last one is still being mended; some leave time for builds to end. A short run
 * waits less and freezes nobody for longer than its lease.
 */
export function planEvents(random: Random, count: number, isShort: boolean): ChaosEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const pace = random.weighted({ hurried: 20, usual: 60, patient: isShort ? 0 : 20 });
    const kind = random.weighted(WEIGHTS);
    // Beyond its lease a frozen daemon loses its job to another attempt, and must not touch it when it thaws.
    const isLong = kind === 'freeze daemon' && !isShort && random.next() < 0.4;
    return {
      number: index + 1,
      kind,
      waits: pace !== 'hurried',
      afterMs: pace === 'hurried' ? random.between(0, 700) : pace === 'usual' ? random.between(800, 3500) : random.between(5000, 9000),
      frozenMs: isLong ? random.between(32_000, 40_000) : random.between(300, 3500),
      which: random.next(),
    };
  });
}
