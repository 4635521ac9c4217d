import { createHmac, timingSafeEqual } from 'node:crypto';
import { hashToken, randomToken } from '@berth/core/secrets';
import type { Clock } from '@berth/core';
import type { Tx } from '@berth/db';
import type { ApiKeyLoginType, ApiKeyScope } from '@berth/domain';
import type { ResponseSink, Settings } from '../kernel/context.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** A browser session slides by a day on use and ends for good after thirty. */
export const SESSION_LIFETIME_SECONDS = DAY_SECONDS;
export const SESSION_ABSOLUTE_SECONDS = 30 * DAY_SECONDS;
/** A key or token made without a lifetime. */
export const DEFAULT_TOKEN_LIFETIME_SECONDS = 7 * DAY_SECONDS;
/** About a hundred years. */
export const MAX_TOKEN_LIFETIME_SECONDS = 876_600 * HOUR_SECONDS;

const KEY_ID_LENGTH = 10;
const KEY_SECRET_LENGTH = 22;

const KEY = new RegExp(`^([0-9A-Za-z]{${KEY_ID_LENGTH}})-([0-9A-Za-z]{${KEY_SECRET_LENGTH}})$`);

/** Splits `<id>-<secret>`; null when the text has another form. */
export function parseApiKey(text: string): { id: string; secret: string } | null {
  const match = KEY.exec(text);
  return match?.[1] === undefined || match[2] === undefined ? null : { id: match[1], secret: match[2] };
}

export interface NewApiKey {
  readonly userId: string;
  readonly loginType: ApiKeyLoginType;
  readonly scope?: ApiKeyScope;
  /** Of a `limited` key: what it may do. */
  readonly permissions?: readonly string[];
  /** The linked account that the session was opened with. */
  readonly identityId?: string;
  /** The session that the key ends with. */
  readonly parentId?: string;
  readonly tokenName?: string;
  readonly lifetimeSeconds: number;
  /** No use extends the key past this; the lifetime itself when absent. */
  readonly absoluteSeconds?: number;
  readonly ip: string;
}

/** Makes an API key and returns its whole text: the only time that the secret exists outside the caller's hands. */
export async function createApiKey(
  db: Tx,
  clock: Clock,
  key: NewApiKey,
): Promise<{ id: string; token: string; expiresAt: Date; createdAt: Date }> {
  const id = randomToken(KEY_ID_LENGTH);
  const secret = randomToken(KEY_SECRET_LENGTH);
  const createdAt = clock.now();
  const after = (seconds: number): Date => new Date(createdAt.getTime() + seconds * 1000);
  const expiresAt = after(key.lifetimeSeconds);
  await db.apiKey.create({
    data: {
      id,
      userId: key.userId,
      hashedSecret: hashToken(secret),
      loginType: key.loginType,
      scope: key.scope ?? 'all',
      permissions: [...(key.permissions ?? [])],
      identityId: key.identityId ?? null,
      parentId: key.parentId ?? null,
      tokenName: key.tokenName ?? '',
      lifetimeSeconds: BigInt(key.lifetimeSeconds),
      createdAt,
      updatedAt: createdAt,
      expiresAt,
      absoluteExpiresAt: after(key.absoluteSeconds ?? key.lifetimeSeconds),
      lastUsedIp: key.ip,
    },
    select: { id: true },
  });
  return { id, token: `${id}-${secret}`, expiresAt, createdAt };
}

/** `__Host-` needs `Secure`, which browsers keep only behind TLS. */
export function sessionCookieName(settings: Pick<Settings, 'accessUrl'>): string {
  return settings.accessUrl.startsWith('https:') ? '__Host-berth_session' : 'berth_session';
}

/** Readable by our own scripts, which send it back in `X-CSRF-TOKEN`. */
export function csrfCookieName(settings: Pick<Settings, 'accessUrl'>): string {
  return settings.accessUrl.startsWith('https:') ? '__Host-berth_csrf' : 'berth_csrf';
}

/** The CSRF token of a session: bound to the key, so that a planted cookie of another session does not fit. */
function csrfToken(settings: Pick<Settings, 'csrfKey'>, keyId: string): string {
  return createHmac('sha256', settings.csrfKey).update(keyId).digest('base64url');
}

export function csrfTokenMatches(settings: Pick<Settings, 'csrfKey'>, keyId: string, token: string): boolean {
  const expected = Buffer.from(csrfToken(settings, keyId));
  const actual = Buffer.from(token);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** Sets the cookies of a new session. */
export function setSessionCookies(settings: Settings, response: ResponseSink, session: { id: string; token: string }): void {
  response.setCookie({ name: sessionCookieName(settings), value: session.token, httpOnly: true, maxAgeSeconds: SESSION_ABSOLUTE_SECONDS });
  response.setCookie({
    name: csrfCookieName(settings),
    value: csrfToken(settings, session.id),
    httpOnly: false,
    maxAgeSeconds: SESSION_ABSOLUTE_SECONDS,
  });
}

export function clearSessionCookies(settings: Settings, response: ResponseSink): void {
  response.setCookie({ name: sessionCookieName(settings), value: '', httpOnly: true, maxAgeSeconds: 0 });
  response.setCookie({ name: csrfCookieName(settings), value: '', httpOnly: false, maxAgeSeconds: 0 });
}
