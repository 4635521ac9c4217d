import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';

const TYPE = 'ssh-ed25519';
const MAGIC = 'openssh-key-v1\0';
/** Of an unencrypted private key. */
const BLOCK_BYTES = 8;
const LINE_LENGTH = 70;

const generate = promisify(generateKeyPair);
const bytes = () => z.string().transform((text) => Buffer.from(text, 'base64url'));
const Jwk = z.object({ x: bytes(), d: bytes() });

export interface SshKeyPair {
  /** A line of authorized_keys: `ssh-ed25519 AAAA… comment`. */
  readonly publicKey: string;
  /** OpenSSH's own PEM, unencrypted, with its line break at the end: without one ssh refuses the file. */
  readonly privateKey: string;
}

/** Makes an Ed25519 key pair in OpenSSH's forms. The comment is one line. */
export async function generateSshKey(comment: string): Promise<SshKeyPair> {
  const { privateKey } = await generate('ed25519');
  const { x, d } = Jwk.parse(privateKey.export({ format: 'jwk' }));
  const publicBlob = Buffer.concat([field(TYPE), field(x)]);
  return { publicKey: `${TYPE} ${publicBlob.toString('base64')} ${comment}`, privateKey: privatePem({ publicBlob, x, d, comment }) };
}

/** The file format of OpenSSH's PROTOCOL.key, with one key and no passphrase. */
function privatePem({ publicBlob, x, d, comment }: { publicBlob: Buffer; x: Buffer; d: Buffer; comment: string }): string {
  // The same number twice: with a passphrase, a wrong one would show here.
  const check = randomBytes(4);
  const secret = Buffer.concat([check, check, field(TYPE), field(x), field(Buffer.concat([d, x])), field(comment)]);
  const padding = Buffer.from(Array.from({ length: -secret.length & (BLOCK_BYTES - 1) }, (_, index) => index + 1));
  const file = Buffer.concat([
    Buffer.from(MAGIC, 'latin1'),
    field('none'),
    field('none'),
    field(''),
    uint32(1),
    field(publicBlob),
    field(Buffer.concat([secret, padding])),
  ]);
  const lines = file.toString('base64').match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g')) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n');
}

/** A string of the SSH protocol: its length, then its bytes. */
function field(value: string | Buffer): Buffer {
  const content = Buffer.from(value);
  return Buffer.concat([uint32(content.length), content]);
}

function uint32(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32BE(value);
  return out;
}
