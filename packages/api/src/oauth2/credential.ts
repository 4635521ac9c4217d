import { hashToken, randomToken, tokenMatches } from '@berth/core/secrets';

const PREFIX_LENGTH = 10;
const SECRET_LENGTH = 40;
const SHOWN_LENGTH = 6;
const FORM = new RegExp(`^berth_([0-9A-Za-z]{${PREFIX_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})$`);

/** What is kept of a credential: the prefix finds the row; of the secret only its hash stays. */
export interface StoredCredential {
  readonly prefix: string;
  readonly hashedSecret: Uint8Array<ArrayBuffer>;
}

/** Makes `berth_<prefix>_<secret>`: the form of client secrets, codes, refresh tokens and device codes. */
export function newCredential(): { readonly text: string; readonly display: string; readonly stored: StoredCredential } {
  const prefix = randomToken(PREFIX_LENGTH);
  const secret = randomToken(SECRET_LENGTH);
  return {
    text: `berth_${prefix}_${secret}`,
    display: secret.slice(-SHOWN_LENGTH),
    stored: { prefix, hashedSecret: hashToken(secret) },
  };
}

/** The parts of a credential; null when the text has another form. */
function parseCredential(text: string): { readonly prefix: string; readonly secret: string } | null {
  const match = FORM.exec(text);
  return match?.[1] === undefined || match[2] === undefined ? null : { prefix: match[1], secret: match[2] };
}

/** The row that `find` has for a credential's prefix, if its secret is the row's. */
export async function findByCredential<R extends { readonly hashedSecret: Uint8Array }>(
  text: string | undefined,
  find: (prefix: string) => Promise<R | null>,
): Promise<R | null> {
  const parts = text === undefined ? null : parseCredential(text);
  if (parts === null) return null;
  const row = await find(parts.prefix);
  return row !== null && tokenMatches(parts.secret, row.hashedSecret) ? row : null;
}
