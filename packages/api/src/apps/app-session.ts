import { createHash, timingSafeEqual } from 'node:crypto';
import type { Sealer } from '@berth/core/sealer';
import { SealError, createSealer } from '@berth/core/sealer';
import { derivedKey } from '@berth/core/secrets';
import { z } from 'zod';
import { parseApiKey } from '../auth/sessions.ts';
import type { Services, Settings } from '../kernel/context.ts';

/** The query parameter that brings a new key to the host of an app. */
export const APP_KEY_PARAMETER = 'berth_app_key';
/** Long enough for a redirect. */
const SIGN_IN_MS = 60_000;
/** Longer than any that we make. */
const SEALED_MAX = 2048;

/** What the dashboard's host hands to an app's host by way of the browser. */
const SignIn = z.object({
  key: z.string(),
  /** Comes back from where the browser began: that it equals what its cookie says proves that it is the same browser. */
  state: z.string(),
  expires_at: z.number(),
});

const sealers = new WeakMap<Settings, Sealer>();

/** All replicas seal alike, since any of them may serve the host of an app. */
function sealerOf(settings: Settings): Sealer {
  const known = sealers.get(settings);
  if (known !== undefined) return known;
  const made = createSealer([Buffer.from(derivedKey(settings.deploymentKey, 'app sessions')).toString('base64')]);
  sealers.set(settings, made);
  return made;
}

const signInContext = (host: string): string => `app sign-in ${host}`;
const sessionContext = (host: string): string => `app session ${host}`;

/** Encrypts a new key for one host, for a minute. Only the server can read it, and only for that host. */
export function sealAppKey({ settings, clock }: Services, { host, key, state }: { host: string; key: string; state: string }): string {
  const content = { key, state, expires_at: clock.now().getTime() + SIGN_IN_MS } satisfies z.output<typeof SignIn>;
  return seal(settings, JSON.stringify(content), signInContext(host));
}

/**
 * What the host of an app keeps in its cookie, for the key that a browser brought: the same key, encrypted for this very host, so that it
 * is worth nothing on the host of another app. Works once for each key. Null when it is of another host, of another browser, used, or over.
 */
export async function redeemAppKey(
  services: Services,
  { host, sealed, state }: { readonly host: string; readonly sealed: string; readonly state: string },
): Promise<{ readonly cookie: string; readonly expiresAt: Date } | null> {
  const { settings, clock, prisma } = services;
  const opened = open(settings, sealed, signInContext(host));
  if (opened === null) return null;
  const { key, state: expected, expires_at } = SignIn.parse(JSON.parse(opened));
  const id = parseApiKey(key)?.id;
  if (id === undefined || state === '' || !isSame(state, expected) || expires_at <= clock.now().getTime()) return null;
  // Of many who bring the same one, one is first.
  const { count } = await prisma.apiKey.updateMany({ where: { id, lastUsedAt: null }, data: { lastUsedAt: clock.now() } });
  if (count === 0) return null;
  const row = await prisma.apiKey.findUnique({ where: { id }, select: { absoluteExpiresAt: true } });
  return row === null ? null : { cookie: seal(settings, key, sessionContext(host)), expiresAt: row.absoluteExpiresAt };
}

/** The API key in an app host's cookie; null for every other text, and for a cookie of another host. */
export function keyOfAppSession(
  { settings }: Services,
  { host, cookie }: { readonly host: string; readonly cookie: string },
): string | null {
  return open(settings, cookie, sessionContext(host));
}

function seal(settings: Settings, text: string, context: string): string {
  return Buffer.from(sealerOf(settings).seal(text, context)).toString('base64url');
}

function open(settings: Settings, sealed: string, context: string): string | null {
  if (sealed.length > SEALED_MAX) return null;
  try {
    return sealerOf(settings).open(Buffer.from(sealed, 'base64url'), context);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
