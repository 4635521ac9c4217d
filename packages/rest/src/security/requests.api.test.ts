import { once } from 'node:events';
import { newId } from '@berth/core';
import { given, uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { TestServer } from '../testing/index.ts';
import { createTestServer } from '../testing/index.ts';
import { listen } from '../testing/live.ts';

const direct = await createTestServer();
const proxiedHere = await createTestServer({ http: { trustedProxies: ['127.0.0.1'] } });
const proxied = await createTestServer({ http: { trustedProxies: ['10.0.0.0/8'] } });

/** The address that the audit log has for a change that came from `remoteAddress` with these headers. */
async function recordedIp(server: TestServer, remoteAddress: string, headers: Record<string, string>): Promise<string> {
  const owner = await given(server.prisma).user({ siteRoles: ['owner'] });
  const response = await server.app.inject({
    method: 'POST',
    url: '/api/v2/users/me/keys/tokens',
    headers: { 'service-session-token': await server.keyOf(owner.id), ...headers },
    payload: '{}',
    remoteAddress,
  });
  expect(response.statusCode).toBe(201);
  const row = await server.prisma.auditLog.findFirstOrThrow({ where: { requestId: String(response.headers['x-request-id']) } });
  return row.ip;
}

const FORGED = {
  'x-forwarded-for': '203.0.113.66',
  'x-real-ip': '203.0.113.67',
  'true-client-ip': '203.0.113.68',
  'cf-connecting-ip': '203.0.113.69',
  forwarded: 'for=203.0.113.70',
};

describe('rule: forwarded headers count only from configured proxies; forwarding headers', () => {
  it('of anyone change nothing where no proxy is trusted', async () => {
    expect(await recordedIp(direct, '198.51.100.1', FORGED)).toBe('198.51.100.1');
    expect(await recordedIp(direct, '127.0.0.1', FORGED)).toBe('127.0.0.1');
  });

  it('count from a trusted proxy, and from no one else', async () => {
    expect(await recordedIp(proxied, '10.1.2.3', { 'x-forwarded-for': '203.0.113.66' })).toBe('203.0.113.66');
    expect(await recordedIp(proxied, '198.51.100.1', FORGED)).toBe('198.51.100.1');
    // What the client wrote itself stands before what the proxy saw, and does not count.
    expect(await recordedIp(proxied, '10.1.2.3', { 'x-forwarded-for': '203.0.113.1, 203.0.113.66' })).toBe('203.0.113.66');
  });

  it('count the same over the WebSocket of tRPC', async () => {
    const { url } = await listen(proxiedHere);
    const owner = await given(proxiedHere.prisma).user({ siteRoles: ['owner'] });
    const headers = { 'service-session-token': await proxiedHere.keyOf(owner.id), 'x-forwarded-for': '203.0.113.66' };
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/rpc`, { headers });
    await once(socket, 'open');
    socket.send(JSON.stringify({ id: 1, method: 'mutation', params: { path: 'tokens.create', input: { user: 'me' } } }));
    await once(socket, 'message');
    socket.terminate();
    expect(await proxiedHere.prisma.auditLog.findFirstOrThrow({ where: { userId: owner.id } })).toMatchObject({ ip: '203.0.113.66' });
  });

  it('that are no address do no harm', async () => {
    for (const value of ['', 'x', '<script>', ',,,', '::', 'unknown', "'; --"]) {
      await expect(recordedIp(proxied, '10.1.2.3', { 'x-forwarded-for': value }), value).resolves.toBeDefined();
    }
  });

  it('do not let a session of another host name in', async () => {
    const owner = await given(direct.prisma).user({ siteRoles: ['owner'] });
    const cookie = `berth_session=${await direct.keyOf(owner.id)}`;
    const host = 'evil.example.com';
    const { status } = await direct.rest({ method: 'GET', path: '/users/me', headers: { cookie, host, 'x-forwarded-host': 'berth.test' } });
    expect(status).toBe(400);
  });
});

describe('rule: ids are made by the server; ids', () => {
  it('are made by the server: those that a client sends for a new thing are ignored', async () => {
    const rows = given(direct.prisma);
    const organization = await rows.organization();
    const owner = await rows.user({ siteRoles: ['owner'], memberOf: [organization.id] });
    const key = await direct.keyOf(owner.id);
    const { version } = await rows.version({ organization });
    const sent = newId();
    const forged = {
      id: sent,
      created_at: '2000-01-01T00:00:00Z',
      user_id: sent,
      owner_id: sent,
      hashed_secret: 'x',
      deleted: true,
      roles: ['owner'],
      site_roles: ['owner'],
      rbac_roles: ['owner'],
    };
    const username = uniqueName('user');
    const made = [
      await direct.rest({
        method: 'POST',
        path: '/users',
        key,
        body: { ...forged, username, email: `${username}@example.com`, login_type: 'none', organization_ids: [organization.id] },
      }),
      await direct.rest({
        method: 'POST',
        path: `/organizations/${organization.id}/groups`,
        key,
        body: { ...forged, name: uniqueName('group') },
      }),
      await direct.rest({ method: 'POST', path: '/workspaceproxies', key, body: { ...forged, name: uniqueName('proxy') } }),
      await direct.rest({
        method: 'POST',
        path: '/oauth2-provider/apps',
        key,
        body: { ...forged, name: uniqueName('app'), callback_url: 'https://a.example.com' },
      }),
      await direct.rest({
        method: 'POST',
        path: `/organizations/${organization.id}/templates`,
        key,
        body: { ...forged, name: uniqueName('template'), template_version_id: version.id },
      }),
    ];
    for (const { status, body } of made) {
      expect([200, 201], JSON.stringify(body)).toContain(status);
      expect(body).not.toMatchObject({ id: sent });
      expect(JSON.stringify(body)).not.toContain('2000-01-01');
    }
    expect(made[0]?.body).toMatchObject({ roles: [] });
    expect(JSON.stringify(made.map(({ body }) => body))).not.toContain(sent);
  });

  it('of a request are ours too', async () => {
    const response = await direct.app.inject({ url: '/api/v2/buildinfo', headers: { 'x-request-id': 'forged', 'request-id': 'forged' } });
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});
