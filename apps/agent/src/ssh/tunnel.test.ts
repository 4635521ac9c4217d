import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { connectResumable } from '@berth/protocol/resumable';
import { hasPrograms } from '@berth/testing/programs';
import { describe, expect, onTestFinished, test } from 'vitest';

import { startAgent } from '../agent.ts';
import { fakeServer } from '../fake-server.ts';
import { sshClient, until } from './testing.ts';

const hasSsh = await hasPrograms('ssh');
const TIMEOUT_MS = 60_000;
const HOLDER = randomUUID();

/** A real agent at a server, and OpenSSH's client that comes to it through the server's end of the tunnel. */
async function given() {
  const server = await fakeServer({});
  const home = await mkdtemp(path.join(tmpdir(), 'berth-ssh-home-'));
  const agent = startAgent({
    env: {
      url: server.url,
      token: 'agent-token',
      logDir: path.join(home, 'logs'),
      home,
      updates: false,
      updateSeconds: 0,
      inherited: { PATH: '/usr/local/bin:/usr/bin:/bin', SHELL: '/bin/sh' },
    },
    version: 'v0.0.0-test',
    log: () => undefined,
  });
  onTestFinished(async () => {
    await agent.stop();
    server.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });
  return { server, home };
}

describe.skipIf(!hasSsh)('with OpenSSH as the client', { timeout: TIMEOUT_MS }, () => {
  test('a connection through the tunnel carries a command', async () => {
    const { server } = await given();
    const client = await sshClient((socket) => {
      void server
        .tunnel()
        .then((tunnel) => tunnel.connectSsh({ holder: HOLDER }))
        .then((carrier) => carrier.pipe(socket).pipe(carrier));
    });
    const ran = await client.ssh(['ws', 'cat; exit 3'], 'through the tunnel');
    expect({ code: ran.code, stdout: String(ran.stdout) }).toEqual({ code: 3, stdout: 'through the tunnel' });
  });

  test('a connection goes on where it was when the server dies and comes back, and no byte is lost or doubled', async () => {
    const { server, home } = await given();
    const data = randomBytes(24 * 1024 * 1024);
    await writeFile(path.join(home, 'data'), data);
    const client = await sshClient((socket) => {
      const stream = randomUUID();
      const connection = connectResumable({
        dial: async (signal) => (await server.tunnel()).connectSsh({ stream, holder: HOLDER, signal }),
        giveUpAfterMs: TIMEOUT_MS,
      });
      connection.on('error', () => undefined);
      connection.pipe(socket).pipe(connection);
    });
    // The command pauses in the middle until the server has died twice.
    const ran = client.ssh(
      ['ws', 'head -c 8000000 data; touch first; while [ ! -e again ]; do sleep 0.05; done; tail -c +8000001 data; cat >&2'],
      'typed',
    );
    await until(() => existsSync(path.join(home, 'first')));
    for (let deaths = 0; deaths < 2; deaths += 1) {
      server.crash();
      server.restart();
      await server.tunnel();
    }
    await writeFile(path.join(home, 'again'), '');
    const { code, stdout, stderr } = await ran;
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'typed' });
    expect(createHash('sha256').update(stdout).digest('hex')).toBe(createHash('sha256').update(data).digest('hex'));
  });
});
