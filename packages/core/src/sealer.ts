import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

/** Encrypts what must be read back: tokens of other services, private keys. */
export interface Sealer {
  /** Encrypts `text` for one place. `context` names that place, so that a value copied to another row does not open there. */
  seal(text: string, context: string): Uint8Array<ArrayBuffer>;
  /** What was sealed for `context`. Throws `SealError` when the value was changed, is of another place, or its key is no longer known. */
  open(sealed: Uint8Array, context: string): string;
  /** Whether the key that seals now also sealed this. When not, sealing it again lets the old key go. */
  isCurrent(sealed: Uint8Array): boolean;
  /** The id of the key that seals now: the first bytes of all that it seals. */
  readonly keyId: Uint8Array<ArrayBuffer>;
  /** Names each known key, newest first, without revealing it: for comparing the keys of several servers. */
  readonly fingerprints: readonly string[];
  /** Whether one of the known keys sealed this. */
  isKnown(sealed: Uint8Array): boolean;
}

/** A sealed value that cannot be opened. */
export class SealError extends Error {}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = KEY_ID_BYTES + NONCE_BYTES;

/** A new key for `createSealer`, as text. */
export function newSealingKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/**
 * A sealer over AES-256-GCM. Every key is 32 bytes in base64: the first seals, all of them open, so a key is replaced by putting the new
 * one in front. Sealed values read: id of the key (4 bytes) ‖ nonce (12) ‖ tag (16) ‖ ciphertext. Throws when a key has another length.
 */
export function createSealer(keys: readonly string[]): Sealer {
  const known = keys.map((text) => {
    const key = Buffer.from(text, 'base64');
    if (key.length !== KEY_BYTES) throw new Error(`a sealing key must be ${KEY_BYTES} bytes in base64`);
    return { id: createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES), key };
  });
  const [current] = known;
  if (current === undefined) throw new Error('at least one sealing key is needed');
  const keyOf = (sealed: Uint8Array): Buffer | undefined => known.find(({ id }) => id.equals(sealed.subarray(0, KEY_ID_BYTES)))?.key;

  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, current.key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return new Uint8Array(Buffer.concat([current.id, nonce, cipher.getAuthTag(), body]));
    },
    open(sealed, context) {
      const key = keyOf(sealed);
      if (key === undefined || sealed.length < HEADER_BYTES + TAG_BYTES) throw new SealError('no known key sealed this value');
      const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(KEY_ID_BYTES, HEADER_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(HEADER_BYTES, HEADER_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
      } catch (error) {
        throw new SealError('a sealed value was changed, or belongs elsewhere', { cause: error });
      }
    },
    isCurrent: (sealed) => current.id.equals(sealed.subarray(0, KEY_ID_BYTES)),
    keyId: new Uint8Array(current.id),
    fingerprints: known.map(({ key }) => createHmac('sha256', key).update('berth sealing key').digest('hex')),
    isKnown: (sealed) => keyOf(sealed) !== undefined,
  };
}
