import { generateKeyPairSync } from 'node:crypto';

import ssh2 from 'ssh2';
import { expect, test } from 'vitest';

import { makeHostKey, opensshKey } from './host-key.ts';

test('a host key can be read and signs, also one whose bytes begin with zero', () => {
  const readable = (pem: string): boolean => {
    const key = ssh2.utils.parseKey(pem);
    if (key instanceof Error) return false;
    const signature = key.sign('words');
    return !(signature instanceof Error) && key.verify('words', signature) === true;
  };
  expect(readable(makeHostKey())).toBe(true);
  for (const part of ['x', 'd'] as const) {
    // One key in 256 is such a one.
    let key = generateKeyPairSync('ed25519').privateKey;
    while (Buffer.from(key.export({ format: 'jwk' })[part] ?? '', 'base64url')[0] !== 0) key = generateKeyPairSync('ed25519').privateKey;
    expect(readable(opensshKey(key))).toBe(true);
  }
});

test('a key of another kind is refused', () => {
  expect(() => opensshKey(generateKeyPairSync('ed448').privateKey)).toThrow('no ed25519 key');
});
