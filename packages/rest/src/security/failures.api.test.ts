import { once } from 'node:events';
import { TUNNEL_PATH, procedureFacts } from '@berth/api/server';
import { givenTemplateFile, hashPasswordForTest } from '@berth/api/testing';
import { newId } from '@berth/core';
import { hashToken } from '@berth/core/secrets';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createTestServer } from '../testing/index.ts';
import { tableContents } from '../testing/tables.ts';
import { EXTERNAL_AUTH, createFixture } from '../testing/matrix/fixture.ts';
import { INPUTS } from '../testing/matrix/inputs/index.ts';
import { Tokens, oauth2Client } from '../testing/oauth2-client.ts';
import { listen } from '../testing/live.ts';
import { recordingLog } from './recording-log.ts';

const SECRET = 'SELECT hashed_secret FROM /var/lib/berth/secrets';
const broken = { on: false };
const { lines, log, http } = recordingLog();
const server = await createTestServer({ settings: { externalAuth: EXTERNAL_AUTH }, services: { log }, http: { logger: http } });
const { app, prisma, services } = server;
const { url } = await listen(server);
const fixture = await createFixture(server);
const owner = await fixture.rows.user({ siteRoles: ['owner'], memberOf: [fixture.organization.id] });
const key = await server.keyOf(owner.id);
const headers = { 'service-session-token': key };

const byToken = services.authenticator.byToken.bind(services.authenticator);
services.authenticator.byToken = (token, ip) => (broken.on ? Promise.reject(new Error(SECRET)) : byToken(token, ip));

async function whileBroken<T>(work: () => Promise<T>): Promise<T> {
  broken.on = true;
  try {
    return await work();
  } finally {
    broken.on = false;
  }
}

const audited = procedureFacts().filter(
  ({ type, path, meta }) => type === 'mutation' && meta.audit !== undefined && !('none' in meta.audit) && path in INPUTS,
);

const PASSWORD = 'correct horse battery staple';
const { register, codeFor, exchange, ofClient } = oauth2Client(server);

/** An application, and a code that the owner approved for it. */
async function approved() {
  const client = await register();
  return { client, form: ofClient(client), code: await codeFor(client, owner.id) };
}

/** Inputs that change something, where the matrix's only ask whether one may. */
const EFFECTIVE: Readonly<Record<string, () => Promise<Record<string, unknown>>>> = {
  'auth.login': async () => ({
    email: (await fixture.rows.user({ passwordHash: await hashPasswordForTest(PASSWORD) })).email,
    password: PASSWORD,
  }),
  'auth.changePasswordWithPasscode': async () => {
    const one_time_passcode = newId();
    const expires = new Date(services.clock.now().getTime() + 60_000);
    const { email } = await fixture.rows.user({
      passwordHash: await hashPasswordForTest(PASSWORD),
      oneTimePasscodeHash: hashToken(one_time_passcode),
      oneTimePasscodeExpiresAt: expires,
    });
    return { email, one_time_passcode, password: `${PASSWORD}!` };
  },
  'oauth2.token': async () => {
    const { form, code } = await approved();
    return { ...form, grant_type: 'authorization_code', code };
  },
  'oauth2.revoke': async () => {
    const { client, form, code } = await approved();
    return { ...form, token: Tokens.parse((await exchange(client, code)).body).access_token };
  },
  'oauth2.revokeApp': async () => ({ client_id: (await fixture.rows.oauth2Grant({ userId: owner.id })).appId }),
  'externalAuth.unlink': async () => {
    const key = { userId: owner.id, providerId: 'browser' };
    const columns = { sealedAccessToken: new Uint8Array(32), expiresAt: null };
    await prisma.externalAuthLink.upsert({ where: { userId_providerId: key }, create: { ...key, ...columns }, update: columns });
    return { externalauth: key.providerId };
  },
  'templates.installExample': async () => ({ organization: fixture.organization.id, example_id: 'node-web' }),
  'templateVersions.create': async () => ({
    organization: fixture.organization.id,
    provisioner: 'process',
    storage_method: 'file',
    file_id: (await givenTemplateFile(prisma, { createdById: owner.id })).id,
  }),
  'builds.cancel': async () => ({
    workspacebuild: (await fixture.rows.workspace({ organization: fixture.organization, status: 'running' })).build.id,
  }),
  'templateVersions.cancel': async () => ({
    templateversion: (await fixture.rows.version({ organization: fixture.organization, status: 'running' })).version.id,
  }),
};

async function inputOf(path: string): Promise<Record<string, unknown>> {
  return (await (EFFECTIVE[path]?.() ?? INPUTS[path]?.(fixture))) ?? {};
}

async function call(path: string, input: Record<string, unknown>, as: Record<string, string>) {
  const response = await app.inject({
    method: 'POST',
    url: `/api/rpc/${path}`,
    headers: { ...as, 'content-type': 'application/json' },
    payload: JSON.stringify(input),
  });
  return { status: response.statusCode, text: response.body, requestId: String(response.headers['x-request-id']) };
}

describe('an internal failure', () => {
  it('says nothing internal on any door, and is found in the log by its request id', async () => {
    const paths = Object.entries(server.document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => ({ method: method.toUpperCase(), path })),
    );
    // Neither what everybody may call, nor SCIM, whose token no database knows.
    const isPublic = ({ method, path }: { method: string; path: string }): boolean => {
      const security = JSON.stringify(server.document.paths[path]?.[method.toLowerCase()]?.security);
      return security === '[]' || security === '[{"scim":[]}]';
    };
    await whileBroken(async () => {
      for (const operation of paths.filter((one) => !isPublic(one))) {
        const response = await app.inject({
          method: operation.method as 'GET',
          url: `/api/v2${operation.path.replaceAll(/\{[^}]+\}/g, () => crypto.randomUUID())}?port=8080&reconnect=${crypto.randomUUID()}`,
          headers: { ...headers, 'content-type': operation.path === '/files' ? 'application/x-tar' : 'application/json' },
        });
        const name = `${operation.method} ${operation.path}`;
        expect({ name, status: response.statusCode, body: response.json() }).toEqual({
          name,
          status: 500,
          body: {
            message: 'An internal error occurred. The server log has the details under the request ID.',
            detail: '',
            validations: [],
          },
        });
        const id = String(response.headers['x-request-id']);
        expect(
          lines.some((line) => line.includes(id) && line.includes(SECRET)),
          name,
        ).toBe(true);
      }
      for (const { path, type } of procedureFacts()) {
        if (type !== 'query') continue;
        const response = await app.inject({ url: `/api/rpc/${path}?input=%7B%7D`, headers });
        expect(response.statusCode, path).toBe(500);
        expect(response.body).not.toContain('SELECT');
        expect(response.body).not.toContain('stack');
      }
    });
  });

  it('says nothing internal where a WebSocket or an app is refused', async () => {
    const id = crypto.randomUUID();
    await whileBroken(async () => {
      for (const path of [
        `/api/v2/workspaceagents/${id}/pty?reconnect=${id}`,
        `/api/v2/workspacebuilds/${id}/logs?follow`,
        TUNNEL_PATH,
        '/@me/x/apps/y/',
      ]) {
        const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers });
        socket.on('error', () => undefined);
        const [, response] = await once(socket, 'unexpected-response');
        let text = '';
        for await (const chunk of response) text += String(chunk);
        expect(response.statusCode, path).toBe(500);
        expect(text, path).not.toContain('SELECT');
      }
      const response = await fetch(`${url}/@me/x/apps/y/`, { headers });
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('SELECT');
      const rpc = new WebSocket(`${url.replace('http', 'ws')}/api/rpc`, { headers });
      await once(rpc, 'open');
      rpc.send(JSON.stringify({ id: 1, method: 'query', params: { path: 'users.get', input: { user: 'me' } } }));
      const [answer] = await once(rpc, 'message');
      expect(String(answer)).toContain('internal');
      expect(String(answer)).not.toContain('SELECT');
      rpc.terminate();
    });
  });
});

describe('a change whose audit row cannot be written', () => {
  it.each(audited.map(({ path }) => path))('does not happen: %s', async (path) => {
    await app.inject({ url: '/api/v2/users/me', headers });
    const input = await inputOf(path);
    await prisma.$executeRaw`CREATE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the disk of db-host.internal is full'; END $$`;
    await prisma.$executeRaw`CREATE TRIGGER refuse_audit BEFORE INSERT ON audit_logs FOR EACH ROW EXECUTE FUNCTION refuse_audit()`;
    const before = await tableContents(prisma);
    const { status, text } = await call(path, input, headers);
    const after = await tableContents(prisma);
    await prisma.$executeRaw`DROP TRIGGER refuse_audit ON audit_logs`;
    await prisma.$executeRaw`DROP FUNCTION refuse_audit`;
    expect(after).toEqual(before);
    expect(text).not.toContain('db-host');
    // What is refused without a name, and what only says what it would do, has no row that could fail.
    if (status === 500) expect(text).toContain('An internal error occurred');
    else expect(NO_ROW[path], `${status} ${text}`).toBe(status);
  });
});

/** Audited procedures that write no row for the matrix's input. */
const NO_ROW: Readonly<Record<string, number>> = {
  // Only said what it would do.
  'builds.create': 200,
  // The build has no state to restore; packages/api/src/builds/states restores one.
  'builds.restoreState': 400,
  // Nobody began these; packages/api/src/external-auth and packages/rest/src/raw/sign-on.api.test.ts complete some that somebody did.
  'externalAuth.complete': 400,
  'externalAuth.completeDevice': 503,
  'signOn.complete': 401,
  // There are accounts; the first one has a test of its own.
  'users.createFirst': 409,
  // Only said what it would do.
  'workspaces.bulk': 200,
};

describe('the first account', () => {
  it('is not made when its audit row cannot be written, and can be made afterwards', async () => {
    const fresh = await createTestServer();
    await fresh.prisma.$executeRaw`ALTER TABLE audit_logs ADD CONSTRAINT refuse CHECK (false) NOT VALID`;
    const first = { method: 'POST', path: '/users/first', body: { email: 'a@example.com', username: 'a', password: PASSWORD } } as const;
    const response = await fresh.app.inject({ method: 'POST', url: `/api/v2${first.path}`, payload: JSON.stringify(first.body) });
    expect(response.statusCode).toBe(500);
    expect(await fresh.prisma.user.count()).toBe(0);
    await fresh.prisma.$executeRaw`ALTER TABLE audit_logs DROP CONSTRAINT refuse`;
    expect((await fresh.rest(first)).status).toBe(201);
  });
});

describe('a refused attempt', () => {
  it.each(audited.map(({ path }) => path))('changes nothing, and is recorded with its status and without a diff: %s', async (path) => {
    const auditor = await fixture.rows.user({ siteRoles: ['auditor'], memberOf: [fixture.organization.id] });
    const as = { 'service-session-token': await server.keyOf(auditor.id) };
    await app.inject({ url: '/api/v2/users/me', headers: as });
    const input = await inputOf(path);
    const before = await tableContents(prisma);
    const { status, requestId, text } = await call(path, input, as);
    if (status < 400) return;
    expect(await tableContents(prisma)).toEqual(before);
    const recorded = await prisma.auditLog.findMany({ where: { requestId }, select: { statusCode: true, diff: true, userId: true } });
    if (status === 403) expect(recorded, text).toEqual([{ statusCode: 403, diff: {}, userId: auditor.id }]);
    else for (const row of recorded) expect(row).toMatchObject({ statusCode: status, diff: {} });
  });
});
