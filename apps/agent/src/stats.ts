import type { Log } from './log.ts';
import type { Session } from './session.ts';
import type { SshServer } from './ssh/ssh-server.ts';
import type { Terminals } from './terminals.ts';
import { pause } from './timing.ts';
import type { TunnelDialer } from './tunnel.ts';

const RETRY_MS = 30_000;

export interface StatsOptions {
  readonly session: Pick<Session, 'deliver'>;
  readonly tunnel: Pick<TunnelDialer, 'stats'>;
  readonly terminals: Pick<Terminals, 'viewers'>;
  readonly ssh: Pick<SshServer, 'sessions'>;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Reports what the workspace is used for, as often as the server asks, until the signal fires. */
export async function reportStats({ session, tunnel, terminals, ssh, log, signal }: StatsOptions): Promise<void> {
  let before = { rxBytes: 0, txBytes: 0 };
  while (!signal.aborted) {
    const { streams, rxBytes, txBytes } = tunnel.stats();
    const sessions = ssh.sessions;
    const stats = {
      connection_count: streams,
      rx_bytes: Math.max(0, rxBytes - before.rxBytes),
      tx_bytes: Math.max(0, txBytes - before.txBytes),
      session_count_vscode: sessions.vscode,
      session_count_jetbrains: sessions.jetbrains,
      session_count_reconnecting_pty: terminals.viewers,
      session_count_ssh: sessions.ssh,
    };
    const answer = await session
      .deliver((api, limit) => api.reportStats.mutate(stats, { signal: limit }))
      .catch((error: unknown) => {
        if (!signal.aborted) log('warn', 'Statistics could not be reported', error);
        return undefined;
      });
    if (answer !== undefined) before = { rxBytes, txBytes };
    await pause(answer?.interval_ms ?? RETRY_MS, signal);
  }
}
