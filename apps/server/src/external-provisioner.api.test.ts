import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestApi } from '@berth/api/testing';
import { createHttpServer } from '@berth/rest';
import { given } from '@berth/testing';
import { afterAll, expect, it, vi } from 'vitest';

const { prisma, services, callAsUser } = await createTestApi();
const base = await mkdtemp(join(tmpdir(), 'berth-external-'));
const app = await createHttpServer({ services });
await app.listen({ host: '127.0.0.1', port: 0 });
afterAll(async () => {
  await app.close();
  await rm(base, { recursive: true, force: true });
});

const MAIN = join(import.meta.dirname, '../../provisioner/src/external.ts');
const { port } = app.server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}`;

const rows = given(prisma);
const { id: organization } = await rows.organization();
const admin = callAsUser((await rows.user({ memberOf: [{ organizationId: organization, roles: ['organization-admin'] }] })).id);

/** What the host of a daemon has of its own; the agent stands in for the real one. */
const agent = join(base, 'agent');
const host = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: base, XDG_STATE_HOME: base, BERTH_AGENT_DIR: agent };
await mkdir(agent);
await writeFile(join(agent, 'agent.mjs'), '');

function start(name: string, ...flags: string[]) {
  const all = ['--disable-warning=ExperimentalWarning', MAIN, '--url', url, '--name', name, '--data-dir', name, ...flags];
  const child = spawn(process.execPath, all, { cwd: base, env: host, stdio: ['pipe', 'pipe', 'pipe'] });
  afterAll(() => void child.kill('SIGKILL'));
  // Whoever started it in the background has closed its standard input.
  child.stdin.end();
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  return { child, said: () => said, exited: once(child, 'exit') };
}

it('daemons on other hosts start with one command each, share the jobs for their tags, and leave when they are asked to', async () => {
  const { key } = await admin.provisionerKeys.create({ organization, name: 'builders', tags: { zone: 'eu' } });
  await writeFile(join(base, 'key'), `${key}\n`, { mode: 0o600 });
  const daemons = ['one', 'two'].map((name) => start(name, '--key-file', 'key', '--drivers', 'process', '--concurrency', '1'));

  const listed = async () =>
    (await admin.provisionerDaemons.list({ organization })).map(({ name, status, tags }) => [name, status, tags['zone']]);
  const both = ['one', 'two'].map((name) => [name, 'idle', 'eu']);
  await vi.waitFor(async () => expect(await listed(), daemons.map(({ said }) => said()).join('')).toEqual(expect.arrayContaining(both)), {
    timeout: 30_000,
    interval: 100,
  });
  for (const { child } of daemons) {
    if (existsSync('/proc/self/environ')) expect(await readFile(`/proc/${child.pid}/environ`, 'utf8')).not.toContain(key);
  }

  const versions = await Promise.all(
    Array.from({ length: 4 }, () =>
      admin.templateVersions.create({
        organization,
        example_id: 'shell',
        storage_method: 'file',
        provisioner: 'process',
        tags: { zone: 'eu' },
      }),
    ),
  );
  for (const { id } of versions) {
    await vi.waitFor(async () => expect((await admin.templateVersions.get({ templateversion: id })).job.status).toBe('succeeded'), {
      timeout: 30_000,
      interval: 100,
    });
  }

  const [one, two] = daemons;
  one?.child.kill('SIGTERM');
  expect(await one?.exited).toEqual([0, null]);
  expect(one?.said()).toMatch(/draining: no more jobs are taken[\s\S]*"message":"drained"/);
  await vi.waitFor(async () => expect(await listed()).toContainEqual(['one', 'offline', 'eu']), { timeout: 10_000, interval: 100 });
  two?.child.kill('SIGTERM');
  expect(await two?.exited).toEqual([0, null]);
}, 90_000);

it('a daemon says in a sentence what is wrong with its command', async () => {
  const without = start('three');
  expect(await without.exited).toEqual([1, null]);
  expect(without.said()).toContain('BERTH_PROVISIONER_KEY: is missing, and so is BERTH_PROVISIONER_KEY_FILE');
  const unknown = start('three', '--key', 'x');
  expect(await unknown.exited).toEqual([1, null]);
  expect(unknown.said()).toContain("Unknown option '--key'");
  const impossible = start('three', '--key-file', 'agent.mjs', '--drivers', 'terraform,docker');
  expect(await impossible.exited).toEqual([1, null]);
  expect(impossible.said()).toContain('BERTH_PROVISIONER_DRIVERS');
}, 60_000);

it('a daemon with a wrong key ends with a sentence and the exit code of a rejection', async () => {
  await writeFile(join(base, 'wrong-key'), 'nobody-has-this-key\n', { mode: 0o600 });
  const daemon = start('four', '--key-file', 'wrong-key', '--drivers', 'process');
  expect(await daemon.exited).toEqual([3, null]);
  expect(daemon.said()).toContain('The server rejects the provisioner key');
}, 60_000);

it('a daemon without a server says at once why it cannot reach it and when it tries again', async () => {
  const nobody = createServer().listen(0, '127.0.0.1');
  await once(nobody, 'listening');
  const { port: free } = nobody.address() as AddressInfo;
  nobody.close();
  const daemon = start('five', '--key-file', 'wrong-key', '--drivers', 'process', '--url', `http://127.0.0.1:${free}`);
  await vi.waitFor(() => expect(daemon.said()).toMatch(/the server cannot be reached; trying again.*ECONNREFUSED.*"retry_in_ms":\d+/), {
    timeout: 30_000,
    interval: 50,
  });
  daemon.child.kill('SIGTERM');
  expect(await daemon.exited).toEqual([0, null]);
}, 60_000);
