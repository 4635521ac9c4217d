import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@berth/db';
import { auditChannel } from '../kernel/channels.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { Wakeup } from '../kernel/wakeup.ts';
import { permittedStream } from '../kernel/while-permitted.ts';
import type { AuditNews } from './contract.ts';
import { readsNoRows } from './filter.ts';

const EVERY_AT_MOST_MS = 1_000;
const LOOK_AGAIN_MS = 30_000;

/**
 * Says that rows were written, at most once a second, so that whoever shows the newest page reads it again. Says nothing of which, so
 * nothing that the caller may not read. Ends at once for callers who may read no audit log, and when that right ends.
 */
export function watchAuditLogs(call: UserCall, signal: AbortSignal): AsyncGenerator<AuditNews, void, void> {
  if (readsNoRows(call.authorize.scope())) return nothing();
  const object = { type: 'audit_log', anyOrganization: true } as const;
  return permittedStream(call, { action: 'read', object, signal }, (whilePermitted) => news(call.services.bus, whilePermitted));
}

async function* news(bus: Bus, signal: AbortSignal): AsyncGenerator<AuditNews, void, void> {
  const wakeup = new Wakeup();
  const subscriptions = [bus.subscribe(auditChannel, () => wakeup.ring()), bus.onReconnect(() => wakeup.ring())];
  try {
    while (!signal.aborted) {
      const isNews = await wakeup.wait(LOOK_AGAIN_MS, signal);
      if (signal.aborted) return;
      if (!isNews) continue;
      yield { news: true };
      await sleep(EVERY_AT_MOST_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    for (const unsubscribe of subscriptions) unsubscribe();
  }
}

async function* nothing(): AsyncGenerator<never, void, void> {
  // Nobody is told anything.
}
