import { procedureFacts } from '@berth/api/server';
import { hashToken } from '@berth/core/secrets';
import { uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { createFixture } from '../testing/matrix/fixture.ts';
import { INPUTS } from '../testing/matrix/inputs/index.ts';
import { recordingLog } from './recording-log.ts';
import { expectNoSecret } from './secret-forms.ts';

const { lines, log, http } = recordingLog();
const server = await createTestServer({ services: { log }, http: { logger: http } });
const { app, prisma, rest } = server;
const fixture = await createFixture(server);
const owner = await fixture.rows.user({ siteRoles: ['owner'], memberOf: [fixture.organization.id] });
const key = await server.keyOf(owner.id);

/** What must never be seen again, by what it is. */
const secrets = new Map<string, string>();

async function make(what: string, path: string, body: object, secretOf: (body: unknown) => unknown): Promise<unknown> {
  const answer = await rest({ method: 'POST', path, body, key });
  expect(answer.status, what).toBeLessThan(300);
  const secret = secretOf(answer.body);
  if (typeof secret !== 'string' || secret.length < 16) throw new Error(`${what} has no secret: ${JSON.stringify(answer.body)}`);
  secrets.set(what, secret);
  return answer.body;
}

const field = (name: string) => (body: unknown) => Reflect.get(Object(body), name) as unknown;

const PASSWORD = `correct-horse-${crypto.randomUUID()}`;
const WRONG = `wrong-${crypto.randomUUID()}`;
const username = uniqueName('user');
secrets.set('password', PASSWORD);
secrets.set('wrong password', WRONG);
secrets.set('agent token', fixture.agentToken);
secrets.set('built-in provisioner key', server.services.settings.builtinProvisionerKey.reveal());
secrets.set('key of the caller', key);
await rest({
  method: 'POST',
  path: '/users',
  body: { email: `${username}@example.com`, username, password: PASSWORD, organization_ids: [fixture.organization.id] },
  key,
});
await make('session', '/users/login', { email: `${username}@example.com`, password: PASSWORD }, field('session_token'));
await rest({ method: 'POST', path: '/users/login', body: { email: `${username}@example.com`, password: WRONG } });
await rest({ method: 'POST', path: '/users/login', body: { email: `${username}@example.com`, password: [WRONG] } });
await make('token', '/users/me/keys/tokens', { token_name: 'ci' }, field('key'));
await make('session key', `/users/${username}/keys`, {}, field('key'));
await make('proxy token', '/workspaceproxies', { name: uniqueName('proxy') }, field('proxy_token'));
await make('application secret', `/oauth2-provider/apps/${fixture.app.id}/secrets`, {}, (body) =>
  field('client_secret_full')(Object(body)[0]),
);
const renewed = await rest({ method: 'PATCH', path: `/workspaceproxies/${fixture.proxy.id}`, body: { regenerate_token: true }, key });
secrets.set('renewed proxy token', String(field('proxy_token')(renewed.body)));
secrets.set('first proxy token', String(fixture.proxy.proxy_token));
const provisionerKey = `berth-${crypto.randomUUID()}`;
secrets.set('provisioner key', provisionerKey);
await prisma.provisionerKey.create({
  data: {
    id: crypto.randomUUID(),
    organizationId: fixture.organization.id,
    name: uniqueName('key'),
    hashedSecret: hashToken(provisionerKey),
    tags: {},
  },
});
const register = INPUTS['provisionerApi.registerDaemon'];
await app.inject({
  method: 'POST',
  url: '/api/rpc/provisionerApi.registerDaemon',
  headers: { 'service-provisioner-key': provisionerKey, 'content-type': 'application/json' },
  payload: JSON.stringify(await register?.(fixture)),
});

describe('rule: secrets are hashed where they need only be compared; a secret', () => {
  it('is stored as a hash only', async () => {
    const tables = await prisma.$queryRaw<
      { name: string }[]
    >`SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`;
    for (const { name } of tables) {
      const rows = await prisma.$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS row FROM ${name} AS t`);
      const text = rows.map(({ row }) => row).join('\n');
      for (const [what, secret] of secrets) {
        expect(text.includes(secret), `${what} in ${name}`).toBe(false);
        expect(text.includes(Buffer.from(secret).toString('hex')), `${what} in ${name}, as bytes`).toBe(false);
      }
    }
  });

  it('is in no audit row, nor is its hash', async () => {
    const rows = await prisma.auditLog.findMany();
    expect(rows.length).toBeGreaterThan(8);
    expectNoSecret(secrets, JSON.stringify(rows), 'the audit log');
  });

  it('is in no answer of any query, on either door', async () => {
    for (const { path, type, meta } of procedureFacts()) {
      if (type !== 'query' || path === 'agentApi.manifest') continue;
      const input = (await INPUTS[path]?.(fixture)) ?? {};
      const rpc = await app.inject({
        url: `/api/rpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`,
        headers: { 'service-session-token': key },
      });
      expectNoSecret(secrets, rpc.body, path);
      if (meta.openapi === undefined) continue;
      const restPath = meta.openapi.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
      const { body } = await rest({ method: 'GET', path: restPath, key });
      expectNoSecret(secrets, JSON.stringify(body ?? ''), restPath);
    }
    for (const path of ['/users/me/keys/tokens?include_all=true', '/audit?limit=100', '/users?limit=1000']) {
      const { body } = await rest({ method: 'GET', path, key });
      expectNoSecret(secrets, JSON.stringify(body), path);
    }
  });

  it('is in no refusal, even of a request that carries it in the wrong place', async () => {
    for (const [what, secret] of secrets) {
      for (const path of [
        `/users/${encodeURIComponent(secret)}`,
        `/workspaces?q=${encodeURIComponent(`status:${secret}`)}`,
        `/audit?q=${encodeURIComponent(`action:${secret}`)}`,
      ]) {
        const { status, body } = await rest({ method: 'GET', path, key });
        expect(status, `${what} ${path}`).toBeGreaterThanOrEqual(400);
        if (path.startsWith('/users/')) expectNoSecret(secrets, JSON.stringify(body), path);
      }
      const { body } = await rest({ method: 'POST', path: '/users/login', body: { email: 1, password: secret, [secret]: secret } });
      expectNoSecret(secrets, JSON.stringify(body), 'a refused sign-in');
    }
  });

  it('is in no log line, also when what carries it fails', async () => {
    const { authenticator } = server.services;
    const { byToken, byProvisionerKey } = authenticator;
    const fail = (): Promise<never> => Promise.reject(new Error('the database is away'));
    Object.assign(authenticator, { byToken: fail, byProvisionerKey: fail });
    const before = lines.length;
    for (const secret of secrets.values()) {
      await app.inject({ url: '/api/v2/users/me', headers: { 'service-session-token': secret } });
      await app.inject({ url: '/api/v2/users/me', headers: { cookie: `berth_session=${secret}` } });
      await app.inject({ url: '/api/v2/users/me', headers: { 'service-provisioner-key': secret } });
    }
    Object.assign(authenticator, { byToken, byProvisionerKey });
    await prisma.$executeRaw`ALTER TABLE api_keys RENAME TO api_keys_away`;
    await app.inject({
      method: 'POST',
      url: '/api/v2/users/login',
      payload: JSON.stringify({ email: `${username}@example.com`, password: PASSWORD }),
    });
    await app.inject({ url: '/api/v2/users/me', headers: { 'service-session-token': `${'k'.repeat(10)}-${'s'.repeat(22)}` } });
    await prisma.$executeRaw`ALTER TABLE api_keys_away RENAME TO api_keys`;
    expect(lines.length - before).toBeGreaterThan(secrets.size);
    expectNoSecret(secrets, lines.join('\n'), 'the log');
    expect(lines.join('\n')).not.toContain('s'.repeat(22));
  });
});
