import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateSshKey } from './openssh.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-ssh-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function hasSshKeygen(): boolean {
  try {
    execFileSync('ssh-keygen', ['-?'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    // It is there, and does not know the option.
    return error instanceof Error && Reflect.get(error, 'code') !== 'ENOENT';
  }
}

function fileOf(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, 0o600);
  return path;
}

it('makes a public key in the form of authorized_keys, and another at each call', async () => {
  const [one, two] = await Promise.all([generateSshKey('ada@berth'), generateSshKey('ada@berth')]);
  expect(one.publicKey).toMatch(/^ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43} ada@berth$/);
  expect(one.publicKey).not.toBe(two.publicKey);
  expect(one.privateKey.startsWith('-----BEGIN OPENSSH PRIVATE KEY-----\n')).toBe(true);
  expect(one.privateKey.endsWith('\n-----END OPENSSH PRIVATE KEY-----\n')).toBe(true);
});

describe.runIf(hasSshKeygen())('OpenSSH itself', () => {
  // Comments of each length modulo the block size, so that each padding is seen.
  it.each(['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef', 'abcdefg', 'ada@berth.example'])(
    'reads the private key with the comment "%s", and finds the same public key in it',
    async (comment) => {
      const { publicKey, privateKey } = await generateSshKey(comment);
      const path = fileOf(`key-${comment.length}`, privateKey);
      expect(execFileSync('ssh-keygen', ['-y', '-P', '', '-f', path], { encoding: 'utf8' }).trim()).toBe(publicKey.trim());
    },
  );

  it('knows the public key, and what one signs the other verifies', async () => {
    const { publicKey, privateKey } = await generateSshKey('ada@berth');
    const path = fileOf('signer', privateKey);
    const listing = execFileSync('ssh-keygen', ['-l', '-f', fileOf('signer.pub', `${publicKey}\n`)], { encoding: 'utf8' });
    expect(listing).toMatch(/^256 SHA256:\S+ ada@berth \(ED25519\)\n$/);
    const signature = execFileSync('ssh-keygen', ['-Y', 'sign', '-q', '-n', 'git', '-f', path], { input: 'a commit', encoding: 'utf8' });
    const allowed = fileOf('allowed', `ada ${publicKey}\n`);
    const args = ['-Y', 'verify', '-n', 'git', '-I', 'ada', '-f', allowed, '-s', fileOf('signature', signature)];
    expect(execFileSync('ssh-keygen', args, { input: 'a commit', encoding: 'utf8' })).toMatch(/^Good "git" signature/);
  });
});
