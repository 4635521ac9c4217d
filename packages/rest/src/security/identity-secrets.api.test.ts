import { ExternalAuthSettings, SignOnSettings, procedureFacts } from '@berth/api/server';
import { FAKE_CODE_HOST_CLIENT, hashPasswordForTest, startFakeCodeHost } from '@berth/api/testing';
import { Secret, newId } from '@berth/core';
import { createSealer, newSealingKey } from '@berth/core/sealer';
import { uniqueName } from '@berth/testing';
import type { InjectOptions } from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { startFakeOidcProvider } from '../testing/fake-oidc-provider.ts';
import { createTestServer } from '../testing/index.ts';
import { createFixture } from '../testing/matrix/fixture.ts';
import { INPUTS } from '../testing/matrix/inputs/index.ts';
import { Tokens, oauth2Client } from '../testing/oauth2-client.ts';
import { SignOnBrowser } from '../testing/sign-on-browser.ts';
import { recordingLog } from './recording-log.ts';
import { expectNoSecret } from './secret-forms.ts';

/** Everything secret that signing in, applications, links and keys bring along, each used as it is meant to be, and wrongly. */
const secrets = new Map<string, string>();
function secret(what: string, value: string): string {
  if (value.length < 16) throw new Error(`${what} is too short to be looked for: ${value}`);
  secrets.set(`${what} ${secrets.size}`, value);
  return value;
}

const { lines, log, http } = recordingLog();
const sealingKey = secret('sealing key', newSealingKey());
const realSealer = createSealer([sealingKey]);
/** What is sealed is secret: each token and private key, and what attempts carry, but for the nonce, which every ID token shows. */
const sealer = {
  ...realSealer,
  seal: (text: string, context: string) => {
    const isObject = text.startsWith('{') && !context.startsWith('external_auth_links');
    const values: unknown[] = isObject
      ? Object.entries(JSON.parse(text)).map(([name, value]) => (/id$|nonce/i.test(name) ? '' : value))
      : [text];
    for (const value of values) if (typeof value === 'string' && value.length >= 20) secret(`sealed for ${context}`, value);
    return realSealer.seal(text, context);
  },
};
const mails: string[] = [];
const mailer = { isConfigured: true, send: ({ text }: { text: string }) => Promise.resolve(void mails.push(text)) };
const [provider, host] = [await startFakeOidcProvider(), await startFakeCodeHost({ expiresIn: 3600 })];
const scimToken = secret('SCIM token', `scim-${newId()}`);
const server = await createTestServer({
  settings: {
    scimToken: new Secret(scimToken),
    signOn: SignOnSettings.parse({
      providers: [
        {
          type: 'oidc',
          id: 'staff',
          client_id: 'berth',
          client_secret: secret('client secret', `oidc-${newId()}`),
          issuer_url: provider.issuer,
        },
      ],
    }),
    externalAuth: ExternalAuthSettings.parse([
      { ...FAKE_CODE_HOST_CLIENT, id: 'code', type: 'github', authorize_url: `${host.url}/login/oauth/authorize` },
    ]),
  },
  services: { log, sealer, mailer },
  http: { logger: http },
});
const { app, prisma, rest } = server;
const fixture = await createFixture(server);
const owner = await fixture.rows.user({ siteRoles: ['owner'], memberOf: [fixture.organization.id] });
const key = secret('key of the caller', await server.keyOf(owner.id));

/** What every request that was refused was told. */
const refusals: string[] = [];
const inject = app.inject.bind(app);
Object.assign(app, {
  inject: async (options: InjectOptions) => {
    const response = await inject(options);
    if (response.statusCode >= 400) refusals.push(response.body);
    return response;
  },
});

/** The tokens that a provider gives, as they come over the wire. */
const realFetch = globalThis.fetch;
vi.spyOn(globalThis, 'fetch').mockImplementation(async (...call) => {
  const response = await realFetch(...call);
  if (!response.url.startsWith(provider.issuer) || !response.url.endsWith('/token')) return response;
  const body: unknown = await response.clone().json();
  for (const name of ['access_token', 'refresh_token', 'id_token']) {
    const value: unknown = Reflect.get(Object(body), name);
    if (typeof value === 'string') secret(`${name} of a provider`, value);
  }
  return response;
});

const password = secret('password', `correct-horse-${newId()}`);
const user = await fixture.rows.user({ memberOf: [fixture.organization.id], passwordHash: await hashPasswordForTest(password) });
const post = (path: string, body: object, asKey?: string) => rest({ method: 'POST', path, body, key: asKey });

async function resetPassword(): Promise<void> {
  const before = mails.length;
  await post('/users/otp/request', { email: user.email });
  await vi.waitFor(() => expect(mails.length).toBeGreaterThan(before), { timeout: 1000 });
  const passcode = secret('passcode', /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(mails.at(-1) ?? '')?.[0] ?? '');
  const next = secret('new password', `another-horse-${newId()}`);
  const wrong = secret('wrong passcode', newId());
  const reset = { email: user.email, password: next };
  expect((await post('/users/otp/change-password', { ...reset, one_time_passcode: wrong })).status).toBe(400);
  expect((await post('/users/otp/change-password', { ...reset, one_time_passcode: passcode })).status).toBe(204);
  expect((await post('/users/otp/change-password', { ...reset, one_time_passcode: passcode })).status).toBe(400);
}

async function signOn(): Promise<void> {
  const claims = { sub: newId(), email: `${uniqueName('p')}@example.com`, email_verified: true, preferred_username: uniqueName('p') };
  for (const answer of [{ claims }, { claims, isSignedByOther: true }, { claims, tokenError: { status: 500, error: 'server_error' } }]) {
    provider.answer = answer;
    const browser = new SignOnBrowser(server);
    const callback = await browser.toCallback('/api/v2/users/oidc/callback');
    const { searchParams } = new URL(callback, 'http://berth.test');
    for (const name of ['code', 'state']) secret(`${name} of a provider`, searchParams.get(name) ?? '');
    await browser.get(callback);
    for (const [name, value] of browser.cookies) secret(`cookie ${name}`, value);
  }
}

async function applications(): Promise<void> {
  const { register, codeFor, exchange, refresh, post: form, ofClient } = oauth2Client(server);
  const client = await register();
  secret('client secret of an application', client.secret);
  const code = secret('code', await codeFor(client, user.id));
  const granted = Tokens.parse((await exchange(client, code)).body);
  const renewed = Tokens.parse((await refresh(client, granted.refresh_token)).body);
  for (const tokens of [granted, renewed]) {
    secret('access token', tokens.access_token);
    secret('refresh token', tokens.refresh_token);
  }
  await form('introspect', { ...ofClient(client), token: renewed.access_token });
  await refresh(client, granted.refresh_token);
  await exchange(client, code);
  await form('revoke', { ...ofClient(client), token: renewed.refresh_token });
  await form('tokens', {
    ...ofClient(client),
    client_secret: secret('wrong secret', `berth_${newId()}`),
    grant_type: 'authorization_code',
    code,
  });
  const begun = (await form('device', ofClient(client))).body;
  secret('device code', String(begun['device_code']));
  await form('tokens', {
    ...ofClient(client),
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: String(begun['device_code']),
  });
}

async function links(): Promise<void> {
  const headers = { accept: 'text/html', 'sec-fetch-site': 'none', 'service-session-token': key };
  const begun = await app.inject({ url: '/external-auth/code/callback', headers });
  const back = host.consent(String(begun.headers.location));
  for (const name of ['code', 'state']) secret(`${name} of a host`, back.searchParams.get(name) ?? '');
  const cookies = Object.fromEntries(begun.cookies.map(({ name, value }) => [name, secret('cookie of an attempt', value)]));
  const done = await app.inject({ url: `/external-auth/code/callback${back.search}`, headers, cookies });
  expect(done.statusCode).toBe(307);
  await app.inject({ url: `/external-auth/code/callback${back.search}`, headers, cookies });
  await rest({ method: 'GET', path: '/users/me/gitsshkey', key });
  await rest({ method: 'PUT', path: '/users/me/gitsshkey', key });
}

async function scim(): Promise<void> {
  for (const token of [scimToken, secret('wrong SCIM token', newId())]) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
    const payload = JSON.stringify({ userName: uniqueName('scim'), emails: [{ value: `${uniqueName('s')}@example.com` }] });
    await app.inject({ method: 'POST', url: '/scim/v2/Users', headers, payload });
    await app.inject({ url: `/scim/v2/Users?filter=${encodeURIComponent('userName eq')}`, headers });
    await app.inject({ url: '/api/v2/users/me', headers });
  }
}

const everything = [resetPassword, signOn, applications, links, scim];
for (const use of everything) await use();

describe('rule: secrets are hashed, or encrypted where they must be read back; a secret of identity', () => {
  it('is in no table as it is', async () => {
    expect(secrets.size).toBeGreaterThan(30);
    const tables = await prisma.$queryRaw<{ name: string }[]>`
      SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`;
    for (const { name } of tables) {
      const rows = await prisma.$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS row FROM ${name} AS t`);
      const text = rows.map(({ row }) => row).join('\n');
      for (const [what, value] of secrets) {
        expect(text.includes(value), `${what} in ${name}`).toBe(false);
        expect(text.includes(Buffer.from(value).toString('hex')), `${what} in ${name}, as bytes`).toBe(false);
      }
    }
  });

  it('is in no audit row, nor is its hash', async () => {
    expectNoSecret(secrets, JSON.stringify(await prisma.auditLog.findMany()), 'the audit log');
  });

  it('is in no refusal', () => {
    expect(refusals.length).toBeGreaterThan(8);
    expectNoSecret(secrets, refusals.join('\n'), 'a refusal');
  });

  it('is in no answer of any query, on either door', async () => {
    for (const { path, type, meta } of procedureFacts()) {
      if (type !== 'query' || path.startsWith('agentApi.')) continue;
      const input = { ...(await INPUTS[path]?.(fixture)), ...(path.startsWith('gitSshKeys') ? { user: owner.id } : {}) };
      const url = `/api/rpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`;
      const rpc = await app.inject({ url, headers: { 'service-session-token': key } });
      expectNoSecret(secrets, rpc.body, path);
      if (meta.openapi === undefined) continue;
      const restPath = meta.openapi.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
        encodeURIComponent(String(Reflect.get(input, name))),
      );
      const { body } = await rest({ method: 'GET', path: restPath, key });
      expectNoSecret(secrets, JSON.stringify(body ?? ''), restPath);
    }
  });

  it('is in no log line, also when the database fails while it is used', async () => {
    expectNoSecret(secrets, lines.join('\n'), 'the log');
    const tables = ['api_keys', 'user_identities', 'external_auth_links', 'oauth2_provider_tokens', 'users'];
    for (const table of tables) {
      const before = lines.length;
      await prisma.$executeRawUnsafe(`ALTER TABLE ${table} RENAME TO ${table}_away`);
      for (const use of everything) await use().catch(() => undefined);
      await prisma.$executeRawUnsafe(`ALTER TABLE ${table}_away RENAME TO ${table}`);
      expect(lines.length, table).toBeGreaterThan(before);
    }
    expectNoSecret(secrets, lines.join('\n'), 'the log');
    expectNoSecret(secrets, refusals.join('\n'), 'a refusal');
  }, 60_000);
});
