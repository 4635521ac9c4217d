import { auditChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';
import type { Loop } from '../kernel/loop.ts';
import { startLoop } from '../kernel/loop.ts';
import { sealAuditRows, tidyAuditQueue } from './sealer.ts';

/** So that a busy server seals in batches and not row by row. */
const SOON_MS = 1_000;
/** News may be lost with its connection. */
const EVERY_AT_LEAST_MS = 30_000;

/** Seals audit rows about a second after they are written. Any number of servers may run it: one of them seals at a time. */
export function startAuditSealer(services: Services): Loop {
  let wakeSoon = (): void => undefined;
  return startLoop(services, {
    name: 'audit-sealer',
    everyMs: EVERY_AT_LEAST_MS,
    wakeOn: (wake) => {
      let timer: NodeJS.Timeout | undefined;
      wakeSoon = () => {
        timer ??= setTimeout(() => {
          timer = undefined;
          wake();
        }, SOON_MS);
      };
      const unsubscribe = [services.bus.subscribe(auditChannel, () => wakeSoon()), services.bus.onReconnect(() => wakeSoon())];
      return () => {
        clearTimeout(timer);
        for (const end of unsubscribe) end();
      };
    },
    turn: async () => {
      const { isFull, isBehind } = await sealAuditRows(services);
      if (isBehind && !isFull) wakeSoon();
      if (!isBehind) await tidyAuditQueue(services);
      return isFull;
    },
  });
}
