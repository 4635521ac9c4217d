import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestApi } from '@berth/api/testing';
import { createHttpServer } from '@berth/rest';
import { given } from '@berth/testing';
import { afterAll, expect, it, vi } from 'vitest';

const { prisma, services, callAsUser, keyOf } = await createTestApi();
const base = await mkdtemp(join(tmpdir(), 'berth-seed-'));
const app = await createHttpServer({ services });
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}`;
const owner = await given(prisma).user({ siteRoles: ['owner'] });
const admin = callAsUser(owner.id);
const token = await keyOf(owner.id);

const { key } = await admin.provisionerKeys.create({ organization: 'default', name: 'seed', tags: {} });
await mkdir(join(base, 'agent'), { mode: 0o755 });
await copyFile(join(import.meta.dirname, '../../provisioner/src/drivers/process/stub-agent.mjs'), join(base, 'agent', 'agent.mjs'));
await writeFile(join(base, 'key'), key, { mode: 0o600 });
const daemon = spawn(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../provisioner/src/external.ts')].concat([
    '--url',
    url,
    '--key-file',
    join(base, 'key'),
    '--data-dir',
    join(base, 'data'),
    '--drivers',
    'process',
    '--drain-seconds',
    '1',
  ]),
  { env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: base, BERTH_AGENT_DIR: join(base, 'agent') }, stdio: 'ignore' },
);
afterAll(async () => {
  for (const workspace of (await admin.workspaces.list({})).workspaces) {
    await admin.builds.create({ workspace: workspace.id, transition: 'delete' });
  }
  await vi.waitUntil(async () => (await admin.workspaces.list({})).count === 0, { timeout: 60_000, interval: 100 });
  const exited = once(daemon, 'exit');
  daemon.kill('SIGTERM');
  await exited;
  await app.close();
  await rm(base, { recursive: true, force: true });
}, 120_000);

const SEED = join(import.meta.dirname, '../../../seed/src/main.ts');
/** Without an agent that could open terminals. */
const seed = async (env: Record<string, string>, ...flags: string[]) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', SEED, '--token', token, '--no-use', ...flags],
    {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env },
    },
  );
  return stdout;
};

/** All that a second run could change, but for what this test itself does. */
const everything = async () => ({
  users: await prisma.user.findMany({ where: { id: { not: owner.id } }, orderBy: { username: 'asc' } }),
  members: await prisma.groupMember.count(),
  builds: await prisma.workspaceBuild.count(),
  audit: await prisma.auditLog.count(),
});

it('a seeded server looks lived in, and a second run changes nothing', async () => {
  expect(await seed({ BERTH_HTTP_ADDRESS: `127.0.0.1:${port}` })).toContain('Done: ');

  const { users } = await admin.users.list({});
  const seeded = users.filter(({ email }) => email.endsWith('@example.com') && email !== owner.email);
  expect(seeded).toHaveLength(12);
  const hourAgo = Date.now() - 3_600_000;
  expect(seeded.filter(({ last_seen_at }) => last_seen_at === null || Date.parse(last_seen_at) < hourAgo)).toEqual([]);
  const groups = await admin.groups.listByOrganization({ organization: 'default' });
  expect(groups.filter(({ name }) => name !== 'Everyone' && name !== 'everyone').filter(({ members }) => members.length === 0)).toEqual([]);
  const { workspaces } = await admin.workspaces.list({});
  const states = workspaces.map(({ latest_build }) => latest_build.status);
  expect(new Set(states)).toEqual(new Set(['running', 'stopped', 'failed']));
  const failed = workspaces.find(({ latest_build }) => latest_build.status === 'failed');
  expect(failed?.latest_build.job.error).toContain('http://localhost:tensorboard');
  // Their owners made them, and no session is left.
  const made = await prisma.auditLog.findMany({ where: { resourceType: 'workspace', action: 'create' }, select: { userId: true } });
  expect(new Set(made.map(({ userId }) => userId)).size).toBeGreaterThan(5);
  expect(await prisma.apiKey.count({ where: { userId: { not: owner.id } } })).toBe(0);
  expect(await prisma.workspaceProxy.count()).toBe(0);

  const before = await everything();
  expect(await seed({}, '--url', url)).toContain('nothing made');
  expect(await everything()).toEqual(before);
}, 180_000);
