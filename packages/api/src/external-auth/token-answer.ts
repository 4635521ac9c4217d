import { z } from 'zod';
import type { OutboundAnswer } from './outbound.ts';
import { OutboundError } from './outbound.ts';

/** A refusal by the service in OAuth2's words. */
export class ProviderRefusal extends Error {
  /** The service's own code, such as `invalid_grant`. */
  readonly code: string;

  constructor(code: string) {
    super(`The service refused: ${code}.`);
    this.code = code;
  }
}

/** What a token endpoint granted. */
export interface Grant {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** Null: the service did not say. */
  readonly expiresInSeconds: number | null;
  /** Everything else that it said. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/**
 * A token goes into headers and to git's line protocol: printable ASCII without spaces, which is more than any service uses and less
 * than RFC 6749 allows.
 */
const Token = z
  .string()
  .min(1)
  .max(16_384)
  .regex(/^[\x21-\x7e]+$/);
const SECONDS_MAX = 10 * 365 * 24 * 3600;
/** Some hosts write the number as text. */
const Seconds = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value),
  z.number().min(0).max(SECONDS_MAX),
);

const Granted = z.looseObject({
  access_token: Token,
  // GitHub sends an empty one along when tokens do not expire.
  refresh_token: z.union([Token, z.literal('')]).nullish(),
  expires_in: Seconds.nullish().catch(null),
});
const EXTRA_LENGTH_MAX = 16_384;

/**
 * Reads the answer of a token endpoint: JSON, or form-encoded as some hosts answer whatever was asked for; a refusal may come with
 * status 200.
 *
 * @throws ProviderRefusal with the service's code; OutboundError when the answer is neither a grant nor a refusal.
 */
export function readGrant(answer: OutboundAnswer): Grant {
  const fields = withUserToken(readFields(answer));
  const { access_token, refresh_token, expires_in, ...rest } = requireGranted(fields);
  const { id_token: _, ...extra } = rest;
  return {
    accessToken: access_token,
    refreshToken: refresh_token === undefined || refresh_token === '' ? null : refresh_token,
    // Zero is how some hosts say never.
    expiresInSeconds: expires_in === undefined || expires_in === 0 ? null : expires_in,
    extra: JSON.stringify(extra).length > EXTRA_LENGTH_MAX ? {} : extra,
  };
}

/** Slack grants tokens of people beside the app's own, one level down. */
function withUserToken(fields: Record<string, unknown>): Record<string, unknown> {
  const user = z.looseObject({ access_token: z.string() }).safeParse(fields['authed_user']);
  return 'access_token' in fields || !user.success ? fields : { ...user.data, ...fields };
}

function requireGranted(fields: Record<string, unknown>): z.output<typeof Granted> {
  const granted = Granted.safeParse(fields);
  if (!granted.success) throw new OutboundError('The service answered with a token that cannot be used.');
  return granted.data;
}

/**
 * The fields of an OAuth2 answer of any endpoint, or the refusal that it is.
 *
 * @throws ProviderRefusal, OutboundError
 */
export function readFields(answer: OutboundAnswer): Record<string, unknown> {
  const fields = parseFields(answer);
  const code = fields === null ? undefined : refusalIn(fields);
  if (code !== undefined) throw new ProviderRefusal(code);
  if (answer.status < 200 || answer.status > 299) throw new OutboundError(`The service answered with status ${answer.status}.`);
  if (fields === null) throw new OutboundError('The service answered with something that is neither JSON nor a form.');
  return fields;
}

/** `error` of OAuth2, also with Slack's `ok: false`; cleaned, since it is shown. */
function refusalIn({ error }: Record<string, unknown>): string | undefined {
  if (typeof error !== 'string' || error === '') return undefined;
  return cleanCode(error);
}

/** A provider's code as text that is safe to show; anything but a short word is none. */
export function cleanCode(code: string): string {
  return /^[A-Za-z0-9_.-]{1,64}$/.test(code) ? code : 'unknown_error';
}

function parseFields({ headers, text }: OutboundAnswer): Record<string, unknown> | null {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(text));
  // JSON under another name is still JSON; a form is taken by its name, or as plain text that looks like one.
  const json = parseJson(text);
  if (json !== null) return json;
  const isForm = type === 'text/plain' && /^[\w.%+-]+=[^\s<>]*$/.test(text.trim());
  return isForm ? Object.fromEntries(new URLSearchParams(text.trim())) : null;
}

/** A JSON object, or null. */
export function parseJson(text: string): Record<string, unknown> | null {
  try {
    const parsed = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
