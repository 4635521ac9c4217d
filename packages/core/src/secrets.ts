import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of 62 in a byte: bytes from here on are drawn again, so each character is equally likely. */
const UNBIASED = 248;

/** `length` random characters of `[0-9A-Za-z]`, from a cryptographic source, each equally likely. */
export function randomToken(length: number): string {
  let out = '';
  while (out.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < UNBIASED && out.length < length) out += ALPHANUMERIC.charAt(byte % ALPHANUMERIC.length);
    }
  }
  return out;
}

/** SHA-256 of a random token: enough for secrets that carry their own entropy. Passwords use argon2id instead. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/** Whether `token` hashes to `hash`, in time that does not depend on where they differ. */
export function tokenMatches(token: string, hash: Uint8Array): boolean {
  const actual = hashToken(token);
  return actual.length === hash.length && timingSafeEqual(actual, hash);
}

/** A key of `bytes` bytes for one use of a shared secret (HKDF with SHA-256, RFC 5869): who has it learns neither the secret nor other keys. */
export function derivedKey(secret: Uint8Array, use: string, bytes = 32): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), use, bytes));
}
