import type { Clock } from '@berth/core';
import type { ReportStats } from '@berth/protocol';
import { z } from 'zod';

const MINUTE_MS = 60_000;
export const WINDOW_MINUTES = 15;
/** An agent reports each half minute: after three that did not come, nobody knows what is open. */
const HEARD_MS = 95_000;

const count = z.int().nonnegative();

/** What the agents told one server, as it stands on its row of the replicas. */
export const TrafficTotals = z.object({
  rx_bytes: count,
  tx_bytes: count,
  vscode: count,
  ssh: count,
  jetbrains: count,
  reconnecting_pty: count,
});
export type TrafficTotals = z.output<typeof TrafficTotals>;

type Sessions = Omit<TrafficTotals, 'rx_bytes' | 'tx_bytes'>;

/** Adds up in memory what agents report to this server, so that a report costs nothing. */
export class Traffic {
  readonly #clock: Clock;
  readonly #bytes = new Map<number, { rx: number; tx: number }>();
  readonly #sessions = new Map<string, Sessions & { readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(agentId: string, report: ReportStats): void {
    const at = this.#clock.now().getTime();
    const minute = Math.floor(at / MINUTE_MS);
    const { rx, tx } = this.#bytes.get(minute) ?? { rx: 0, tx: 0 };
    this.#bytes.set(minute, { rx: rx + report.rx_bytes, tx: tx + report.tx_bytes });
    this.#sessions.set(agentId, {
      at,
      vscode: report.session_count_vscode,
      ssh: report.session_count_ssh,
      jetbrains: report.session_count_jetbrains,
      reconnecting_pty: report.session_count_reconnecting_pty,
    });
  }

  /** Bytes of the last fifteen minutes, and the sessions of agents that were heard of lately. Forgets the rest. */
  totals(): TrafficTotals {
    const now = this.#clock.now().getTime();
    const since = Math.floor(now / MINUTE_MS) - WINDOW_MINUTES;
    const totals = { rx_bytes: 0, tx_bytes: 0, vscode: 0, ssh: 0, jetbrains: 0, reconnecting_pty: 0 };
    for (const [minute, { rx, tx }] of this.#bytes) {
      if (minute <= since) {
        this.#bytes.delete(minute);
      } else {
        totals.rx_bytes += rx;
        totals.tx_bytes += tx;
      }
    }
    for (const [agentId, { at, ...open }] of this.#sessions) {
      if (now - at > HEARD_MS) {
        this.#sessions.delete(agentId);
      } else {
        totals.vscode += open.vscode;
        totals.ssh += open.ssh;
        totals.jetbrains += open.jetbrains;
        totals.reconnecting_pty += open.reconnecting_pty;
      }
    }
    return totals;
  }
}
