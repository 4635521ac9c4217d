import { userObject } from '@berth/rbac';
import { appearanceChannel } from '../kernel/channels.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { Wakeup } from '../kernel/wakeup.ts';
import { permittedStream } from '../kernel/while-permitted.ts';
import { readAppearance } from './appearance.ts';
import type { Appearance } from './contract.ts';

/** A quiet stream reads anew this often, in case news was lost. */
const LOOK_AGAIN_MS = 300_000;

/** How the deployment presents itself, now and after each change, until the caller leaves or is signed out. */
export function watchAppearance(call: UserCall, signal: AbortSignal): AsyncGenerator<Appearance, void, void> {
  const object = userObject(call.principal.userId);
  call.authorize.require(object);
  return permittedStream(call, { action: 'read', object, signal }, (permitted) => appearances(call, permitted));
}

async function* appearances(call: UserCall, signal: AbortSignal): AsyncGenerator<Appearance, void, void> {
  const { bus, prisma } = call.services;
  const wakeup = new Wakeup();
  const subscriptions = [bus.subscribe(appearanceChannel, () => wakeup.ring()), bus.onReconnect(() => wakeup.ring())];
  let last = '';
  try {
    while (!signal.aborted) {
      const appearance = await readAppearance({ db: prisma, services: call.services });
      const text = JSON.stringify(appearance);
      if (text !== last) yield appearance;
      last = text;
      await wakeup.wait(LOOK_AGAIN_MS, signal);
    }
  } finally {
    for (const unsubscribe of subscriptions) unsubscribe();
  }
}
