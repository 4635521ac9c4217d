import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const KIND = 'ssh-ed25519';
const BLOCK_BYTES = 8;
const LINE = /.{1,70}/g;

/** Makes a new ed25519 key in OpenSSH's form. (What ssh2 makes itself is malformed for one key in 256.) */
export function makeHostKey(): string {
  return opensshKey(generateKeyPairSync('ed25519').privateKey);
}

/** An ed25519 key as a file of OpenSSH's, without a passphrase. Throws for keys of another kind. */
export function opensshKey(key: KeyObject): string {
  const { crv, d = '', x = '' } = key.export({ format: 'jwk' });
  if (crv !== 'Ed25519') throw new Error('This is no ed25519 key.');
  const [secret, open] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  const publicKey = Buffer.concat([field(KIND), field(open)]);
  // Twice the same, by which a reader knows that it has decrypted well.
  const check = randomBytes(4);
  const secrets = Buffer.concat([check, check, publicKey, field(Buffer.concat([secret, open])), field('')]);
  const padding = Buffer.from(Array.from({ length: -secrets.length & (BLOCK_BYTES - 1) }, (_, index) => index + 1));
  const none = field('none');
  const whole = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    none,
    none,
    field(''),
    uint32(1),
    field(publicKey),
    field(Buffer.concat([secrets, padding])),
  ]);
  const lines = whole.toString('base64').match(LINE) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n');
}

function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}
