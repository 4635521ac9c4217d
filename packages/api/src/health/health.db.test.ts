import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { registerReplica } from '../replicas/index.ts';
import type { DiskSpace } from '../kernel/disk.ts';
import { TEST_SETTINGS, createTestApi } from '../testing/index.ts';
import { checkReadiness } from './index.ts';

/** Stands for whatever answers at the deployment's address. */
interface Front {
  healthz: { status: number; body: string };
  deploymentId: string;
  /** What the WebSocket does: answers, refuses, closes, or says that it is another deployment. */
  socket: 'answers' | 'refuses' | 'closes' | 'lies';
  asked: number;
}

const WELL: Front = { healthz: { status: 200, body: 'OK' }, deploymentId: TEST_SETTINGS.deploymentId, socket: 'answers', asked: 0 };
const front: Front = { ...WELL };

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/livez') {
    front.asked += 1;
    response.writeHead(front.healthz.status, { location: 'https://elsewhere.example' }).end(front.healthz.body);
    return;
  }
  response.end(JSON.stringify({ deployment_id: front.deploymentId }));
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return `http://127.0.0.1:${address.port}`;
}

const server = createServer(answer);
const sockets = new WebSocketServer({ noServer: true });
server.on('upgrade', (request, socket, head) => {
  if (front.socket === 'refuses') {
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 5\r\n\r\nnope\n');
    return;
  }
  sockets.handleUpgrade(request, socket, head, (opened) => {
    if (front.socket === 'closes') return opened.close();
    const deployment_id = front.socket === 'lies' ? newId() : TEST_SETTINGS.deploymentId;
    opened.on('message', () => opened.send(JSON.stringify({ id: 1, result: { type: 'data', data: { deployment_id } } })));
  });
});
const accessUrl = await listen(server);
afterAll(() => {
  sockets.close();
  server.closeAllConnections();
  server.close();
});

const PLENTY: DiskSpace = { totalBytes: 2 ** 40, freeBytes: 2 ** 39, freeFiles: null };
const disk = { folder: '/data', found: PLENTY as DiskSpace | Error };
const { prisma, clock, services, callAsUser } = await createTestApi(
  { accessUrl },
  { disk: { folder: disk.folder, space: async () => (disk.found instanceof Error ? Promise.reject(disk.found) : disk.found) } },
);
const make = given(prisma);
const owner = await make.user({ siteRoles: ['owner'] });
const { health } = callAsUser(owner.id);
const check = () => health.get({ force: true });

beforeEach(async () => {
  Object.assign(front, WELL);
  disk.found = PLENTY;
  clock.advance(60_000);
  await prisma.provisionerDaemon.deleteMany();
});

const givenDaemon = async (data: { lastSeenAt: Date | null; version?: string; organizationId?: string; apiVersion?: string }) =>
  prisma.provisionerDaemon.create({
    data: {
      id: newId(),
      organizationId: (await make.organization()).id,
      name: newId(),
      sessionId: newId(),
      version: TEST_SETTINGS.version,
      apiVersion: '1.0',
      provisioners: ['process'],
      ...data,
    },
  });

describe('a deployment where all is well', () => {
  test('is healthy in every section, and says of relays that it has none', async () => {
    const daemon = await givenDaemon({ lastSeenAt: clock.now() });
    const report = await check();
    expect(report).toMatchObject({
      healthy: true,
      version: TEST_SETTINGS.version,
      time: clock.now().toISOString(),
      access_url: {
        healthy: true,
        severity: 'ok',
        access_url: accessUrl,
        reachable: true,
        status_code: 200,
        healthz_response: 'OK',
        error: '',
      },
      websocket: { healthy: true, severity: 'ok', code: 101, body: '' },
      database: { healthy: true, reachable: true, threshold_ms: 15, error: '' },
      derp: { healthy: true, severity: 'ok', regions: {}, netcheck: null, netcheck_logs: [] },
      workspace_proxy: { healthy: true, workspace_proxies: { regions: [{ name: 'primary', healthy: true }] } },
      provisioner_daemons: { severity: 'ok', error: '', items: [{ provisioner_daemon: { id: daemon.id }, warnings: [] }] },
    });
    expect(report.database.latency).toMatch(/^\d+\.\d{3}ms$/);
  });

  test('is looked at once for all who ask within a minute, unless somebody wants it now', async () => {
    await check();
    front.asked = 0;
    await Promise.all([health.get({}), health.get({}), health.get({})]);
    expect(front.asked).toBe(0);
    await Promise.all([check(), check(), health.get({})]);
    expect(front.asked).toBe(1);
    clock.advance(61_000);
    await Promise.all([health.get({}), health.get({})]);
    expect(front.asked).toBe(2);
  });
});

describe('the address of the deployment', () => {
  test.each([
    ['leads elsewhere', { healthz: { status: 302, body: '' } }, /^EACS04: .* answers 302/, 302],
    ['answers with a failure', { healthz: { status: 502, body: 'x'.repeat(100_000) } }, /^EACS04: .* answers 502/, 502],
    ['is another deployment’s', { deploymentId: newId() }, /^EACS04: Another deployment/, 200],
    ['is something else’s', { deploymentId: undefined }, /^EACS04: Something else than Berth/, 200],
  ])('that %s is an error with its code', async (_, change, error, status) => {
    Object.assign(front, change);
    const { access_url, healthy, severity } = await check();
    expect({ healthy, severity }).toEqual({ healthy: false, severity: 'error' });
    expect(access_url).toMatchObject({
      healthy: false,
      severity: 'error',
      reachable: true,
      status_code: status,
      error: expect.stringMatching(error),
    });
    expect(access_url.healthz_response.length).toBeLessThanOrEqual(4096);
  });

  test.each([
    ['refuses', 'EWS01', 403, 'nope\n'],
    ['closes', 'EWS02', 101, ''],
    ['lies', 'EWS03', 101, ''],
  ] as const)('whose WebSocket %s is an error with its code', async (socket, code, status, body) => {
    front.socket = socket;
    expect((await check()).websocket).toMatchObject({
      healthy: false,
      severity: 'error',
      code: status,
      body,
      error: expect.stringMatching(`^${code}: `),
    });
  });

  test('where nobody listens is an error in both sections', async () => {
    const gone = createServer();
    const url = await listen(gone);
    await new Promise((resolve) => void gone.close(resolve));
    const there = await createTestApi({ accessUrl: url });
    const user = await given(there.prisma).user({ siteRoles: ['owner'] });
    const report = await there.callAsUser(user.id).health.get({});
    expect(report.access_url).toMatchObject({ reachable: false, status_code: 0, error: expect.stringMatching(/^EACS03: .*ECONNREFUSED/) });
    expect(report.websocket).toMatchObject({ code: 0, error: expect.stringMatching(/^EWS01: .*ECONNREFUSED/) });
  });
});

describe('provisioner daemons', () => {
  const minutesAgo = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000);

  test('of which none is there are an error; those that left are not listed', async () => {
    const lost = await givenDaemon({ lastSeenAt: minutesAgo(5) });
    await givenDaemon({ lastSeenAt: null });
    const { provisioner_daemons } = await check();
    expect(provisioner_daemons).toMatchObject({ severity: 'error', error: expect.stringMatching(/^EPD01: /) });
    expect(provisioner_daemons.items).toMatchObject([
      { provisioner_daemon: { id: lost.id, status: 'offline' }, warnings: [{ code: 'EUNKNOWN' }] },
    ]);
  });

  test('of another version are a warning about each', async () => {
    await givenDaemon({ lastSeenAt: minutesAgo(0), version: 'v0.0.1', apiVersion: '2.0' });
    const { provisioner_daemons, healthy } = await check();
    expect(healthy).toBe(true);
    expect(provisioner_daemons).toMatchObject({ severity: 'warning', items: [{ warnings: [{ code: 'EPD02' }, { code: 'EPD03' }] }] });
  });

  test('are missed by an organization that has templates', async () => {
    await givenDaemon({ lastSeenAt: minutesAgo(0) });
    const { organization } = await make.template();
    const { provisioner_daemons } = await check();
    expect(provisioner_daemons.severity).toBe('warning');
    expect(provisioner_daemons.warnings).toContainEqual({ code: 'EPD01', message: expect.stringContaining(organization.name) });
    await prisma.template.updateMany({ where: { organizationId: organization.id }, data: { deleted: true } });
  });

  test('are missed by templates whose driver or tags no connected daemon has', async () => {
    const needs = { provisioner: 'terraform', tags: { scope: 'organization', owner: '', zone: 'north' } };
    const { organization, template, job } = await make.template({ name: 'vm' });
    await prisma.provisionerJob.update({ where: { id: job.id }, data: needs });
    const daemon = await givenDaemon({ lastSeenAt: minutesAgo(0), organizationId: organization.id });
    const warnings = async () => (await check()).provisioner_daemons.warnings.map(({ message }) => message);
    expect(await warnings()).toEqual([expect.stringMatching(`${organization.name}/vm: No connected provisioner has Terraform. Install`)]);

    await prisma.provisionerDaemon.update({ where: { id: daemon.id }, data: { provisioners: ['process', 'terraform'] } });
    expect(await warnings()).toEqual([expect.stringContaining('other tags than this template needs')]);

    await prisma.provisionerDaemon.update({ where: { id: daemon.id }, data: { tags: needs.tags } });
    expect(await warnings()).toEqual([]);

    await prisma.provisionerDaemon.update({ where: { id: daemon.id }, data: { lastSeenAt: minutesAgo(5) } });
    await givenDaemon({ lastSeenAt: minutesAgo(0), organizationId: organization.id });
    expect(await warnings()).toHaveLength(1);
    await prisma.template.update({ where: { id: template.id }, data: { deleted: true } });
  });
});

test('a proxy that is not well is a warning that names it', async () => {
  await callAsUser(owner.id).workspaceProxies.create({ name: 'far-away' });
  const { workspace_proxy } = await check();
  expect(workspace_proxy).toMatchObject({
    healthy: true,
    severity: 'warning',
    warnings: [{ code: 'EWP04', message: 'The proxy far-away is unregistered.' }],
  });
  expect(workspace_proxy.workspace_proxies.regions.map(({ name }) => name)).toEqual(['primary', 'far-away']);
});

describe('the settings', () => {
  test('mark sections that nobody wants to be told of, at once, and are recorded when they change', async () => {
    await check();
    expect(await health.settings({})).toEqual({ dismissed_healthchecks: [] });
    const wanted = { dismissed_healthchecks: ['Database', 'DERP', 'Database'] as const };
    expect(await health.updateSettings({ dismissed_healthchecks: [...wanted.dismissed_healthchecks] })).toEqual({
      dismissed_healthchecks: ['DERP', 'Database'],
    });
    const { database, derp, websocket } = await health.get({});
    expect([database.dismissed, derp.dismissed, websocket.dismissed]).toEqual([true, true, false]);
    await health.updateSettings({ dismissed_healthchecks: ['DERP', 'Database'] });
    const rows = await prisma.auditLog.findMany({ where: { resourceType: 'health_settings' } });
    expect(rows).toMatchObject([
      {
        action: 'write',
        userId: owner.id,
        statusCode: 200,
        diff: { dismissed_healthchecks: { old: [], new: ['DERP', 'Database'], secret: false } },
      },
    ]);
  });

  test('and the report are for those who look after the deployment', async () => {
    const auditor = callAsUser((await make.user({ siteRoles: ['auditor'] })).id).health;
    await expect(auditor.get({})).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(auditor.settings({})).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(auditor.updateSettings({ dismissed_healthchecks: [] })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

/** Makes the database refuse every write of this server's own row, as it does when its disk is full. */
async function whileWritesFail(sqlState: string, work: () => Promise<void>): Promise<void> {
  await registerReplica(services);
  await prisma.$executeRawUnsafe(
    `CREATE OR REPLACE FUNCTION refuse_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no space left on device' USING ERRCODE = '${sqlState}'; END $$`,
  );
  await prisma.$executeRaw`CREATE TRIGGER refuse_write BEFORE UPDATE ON replicas FOR EACH ROW EXECUTE FUNCTION refuse_write()`;
  try {
    await work();
  } finally {
    await prisma.$executeRaw`DROP TRIGGER refuse_write ON replicas`;
  }
}

describe('the disk of the data folder', () => {
  test.each([
    ['has plenty of space', {}, { severity: 'ok', healthy: true, error: '', warnings: [] }],
    ['has less than 1 GiB free', { freeBytes: 2 ** 30 - 1 }, { severity: 'warning', healthy: true, warnings: [{ code: 'EDISK01' }] }],
    ['has room for few files', { freeFiles: 9_999 }, { severity: 'warning', healthy: true, warnings: [{ code: 'EDISK01' }] }],
    [
      'has less than 128 MiB free',
      { freeBytes: 2 ** 27 - 1 },
      { severity: 'error', healthy: false, error: expect.stringMatching(/^EDISK02: /) },
    ],
    ['has room for no more files', { freeFiles: 0 }, { severity: 'error', healthy: false, error: expect.stringMatching(/^EDISK02: /) }],
  ])('%s', async (_, space, expected) => {
    disk.found = { ...PLENTY, ...space };
    const report = await check();
    expect(report.disk).toMatchObject({ ...expected, folder: '/data', total_bytes: 2 ** 40 });
    expect((await checkReadiness(services))?.code).toBe(report.disk.healthy ? undefined : 'EDISK02');
  });

  test('cannot be read: the report says so, and the server stays ready', async () => {
    disk.found = new Error('permission denied');
    const report = await check();
    expect(report.disk).toMatchObject({
      severity: 'warning',
      warnings: [{ code: 'EUNKNOWN', message: expect.stringContaining('permission denied') }],
    });
    expect(await checkReadiness(services)).toBeNull();
  });
});

test.each([
  ['53100', 'disk space'],
  ['25006', 'read-only'],
])('a database that refuses writes with %s is an error, and the server is not ready', async (sqlState, reason) => {
  await whileWritesFail(sqlState, async () => {
    const report = await check();
    expect(report).toMatchObject({ healthy: false, database: { healthy: false, reachable: true } });
    expect(report.database.error).toMatch(new RegExp(`^EDB03: .*${reason}`));
    expect(await checkReadiness(services)).toMatchObject({ code: 'EDB03', message: expect.stringContaining(reason) });
  });
  clock.advance(2000);
  expect(await checkReadiness(services)).toBeNull();
});

test('however many ask whether the server is ready, the database is asked at most once every two seconds', async () => {
  await registerReplica(services);
  await checkReadiness(services);
  await whileWritesFail('53100', async () => {
    expect(await Promise.all([checkReadiness(services), checkReadiness(services)])).toEqual([null, null]);
    clock.advance(2000);
    expect(await checkReadiness(services)).toMatchObject({ code: 'EDB03' });
  });
});
