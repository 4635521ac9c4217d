import { createHash, randomBytes } from 'node:crypto';

import { expect, test } from 'vitest';

import { hasPrograms, sshHost } from './testing.ts';

const hasSsh = await hasPrograms('ssh');

test.skipIf(!hasSsh)('a command over ssh has its own output, errors and exit code', async () => {
  const host = await sshHost();
  const ran = await host.ssh(['ws', 'echo out; echo err >&2; exit 42']);
  expect({ ...ran, stdout: String(ran.stdout) }).toEqual({ code: 42, signal: null, stdout: 'out\n', stderr: 'err\n' });
  expect(host.complaints).toEqual([]);
});

test.skipIf(!hasSsh)(
  '50 MB go through a command over ssh both ways byte by byte',
  async () => {
    const host = await sshHost();
    const data = randomBytes(50 * 1024 * 1024);
    const ran = await host.ssh(['ws', 'cat'], data);
    expect(ran.code).toBe(0);
    expect(createHash('sha256').update(ran.stdout).digest('hex')).toBe(createHash('sha256').update(data).digest('hex'));
  },
  60_000,
);
