import type { SignOnErrorCode } from './contract.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** What a provider said, and proved, of the person who signs in. Nothing of it has touched an account yet. */
export interface Person {
  /** Together the only thing that an account is linked by. */
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  /** What a username is derived from at sign-up. */
  readonly username: string;
  readonly name: string;
  readonly avatarUrl: string;
  /** The rule of the provider's settings that keeps this person out, if any; thrown once the account is known, so that it is recorded with it. */
  readonly refusal: SignOnErrorCode | null;
  readonly claims: { readonly idToken: Claims; readonly userInfo: Claims; readonly merged: Claims };
  readonly tokens: ProviderTokens;
}

export interface ProviderTokens {
  readonly access: string | null;
  readonly refresh: string | null;
  /** Null: the access token does not expire, or nobody said when. */
  readonly expiresAt: Date | null;
}

/** What of the answers of a token endpoint is kept. A refresh that brings no new refresh token keeps the old one. */
export function providerTokens(
  answer: { readonly access_token: string; readonly refresh_token?: string | undefined; expiresIn(): number | undefined },
  now: Date,
  keptRefresh: string | null = null,
): ProviderTokens {
  const seconds = answer.expiresIn();
  return {
    access: answer.access_token,
    refresh: answer.refresh_token ?? keptRefresh,
    expiresAt: seconds === undefined ? null : new Date(now.getTime() + seconds * 1000),
  };
}

const AVATAR_LENGTH_MAX = 2048;

/** A picture's address that a page may show; anything else is no picture. */
export function avatarOf(value: unknown): string {
  if (typeof value !== 'string' || value.length > AVATAR_LENGTH_MAX) return '';
  const url = URL.parse(value);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : '';
}

/** Lower case for ASCII alone: other letters that fold to an ASCII one (the Kelvin sign) must not become equal to it. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The value without what PostgreSQL's JSON cannot hold: providers may send any text. */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\u0000', '').toWellFormed();
  if (Array.isArray(value)) return value.map(storableJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [String(storableJson(key)), storableJson(item)]));
}
