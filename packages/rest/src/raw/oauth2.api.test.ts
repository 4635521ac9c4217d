import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { given, uniqueName } from '@berth/testing';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';

/** A port that nobody listens on: the issuer must be known before the server is. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const port = await freePort();
const issuer = `http://127.0.0.1:${port}`;
const server = await createTestServer({ settings: { accessUrl: issuer } });
await server.app.listen({ host: '127.0.0.1', port });
const rows = given(server.prisma);
const admin = await rows.user({ siteRoles: ['owner'] });
const CALLBACK = 'https://app.example.com/callback';

async function register(clientType: 'confidential' | 'public', callbackUrl = CALLBACK) {
  const { oauth2Apps } = server.callAsUser(admin.id);
  const app = await oauth2Apps.create({ name: uniqueName('app'), callback_url: callbackUrl, client_type: clientType });
  const secret = clientType === 'public' ? '' : ((await oauth2Apps.createSecret({ app: app.id }))[0]?.client_secret_full ?? '');
  return { app, secret };
}

/** The client library, told nothing but the issuer. */
async function discover(clientId: string, auth: client.ClientAuth): Promise<client.Configuration> {
  return await client.discovery(new URL(issuer), clientId, {}, auth, { algorithm: 'oauth2', execute: [client.allowInsecureRequests] });
}

/** What the page does for a signed-in person: reads the request, and approves it. */
async function approve(key: string, url: URL): Promise<URL> {
  const response = await fetch(`${issuer}/api/v2/oauth2/authorize${url.search}`, {
    method: 'POST',
    headers: { 'service-session-token': key },
    redirect: 'manual',
  });
  expect(response.status, await response.text()).toBe(302);
  return new URL(response.headers.get('location') ?? '');
}

async function signIn(config: client.Configuration, scope: string, key: string): Promise<client.TokenEndpointResponse> {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  expect(`${url.origin}${url.pathname}`).toBe(`${issuer}/oauth2/authorize`);
  const back = await approve(key, url);
  return await client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: state });
}

async function statusWith(accessToken: string, path = '/users/me', init: RequestInit = {}): Promise<number> {
  const response = await fetch(`${issuer}/api/v2${path}`, { ...init, headers: { authorization: `Bearer ${accessToken}` } });
  await response.arrayBuffer();
  return response.status;
}

describe.each([
  ['client_secret_basic', client.ClientSecretBasic],
  ['client_secret_post', client.ClientSecretPost],
])('a real client library with %s', (_, auth) => {
  it('gets a code with PKCE, an access token that works on both doors within its scope, and refreshes it', async () => {
    const user = await rows.user();
    const { app, secret } = await register('confidential');
    const config = await discover(app.id, auth(secret));
    const tokens = await signIn(config, 'read_only', await server.keyOf(user.id));
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'read_only', refresh_token: expect.any(String) });
    expect(await statusWith(tokens.access_token)).toBe(200);
    const rpc = await fetch(`${issuer}/api/rpc/users.get?input=${encodeURIComponent('{"user":"me"}')}`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(await rpc.json()).toMatchObject({ result: { data: { id: user.id } } });
    expect(await statusWith(tokens.access_token, '/users/me/appearance', { method: 'PUT', body: '{"theme_preference":"dark"}' })).toBe(403);

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.access_token).not.toBe(tokens.access_token);
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect(await statusWith(tokens.access_token)).toBe(401);
    expect(await statusWith(refreshed.access_token)).toBe(200);
  });
});

describe('a real client library', () => {
  it('without a secret signs in with PKCE alone', async () => {
    const { app } = await register('public');
    const config = await discover(app.id, client.None());
    const tokens = await signIn(config, 'all', await server.keyOf((await rows.user()).id));
    expect(await statusWith(tokens.access_token, '/users/me/appearance', { method: 'PUT', body: '{"theme_preference":"dark"}' })).toBe(200);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(await statusWith(refreshed.access_token)).toBe(200);
  });

  it('that uses a refresh token twice loses everything that came of the grant', async () => {
    const { app, secret } = await register('confidential');
    const config = await discover(app.id, client.ClientSecretBasic(secret));
    const first = await signIn(config, 'all', await server.keyOf((await rows.user()).id));
    const second = await client.refreshTokenGrant(config, first.refresh_token ?? '');
    await expect(client.refreshTokenGrant(config, first.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
      status: 400,
    });
    expect(await statusWith(second.access_token)).toBe(401);
    await expect(client.refreshTokenGrant(config, second.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });
    const audit = await server.prisma.auditLog.findFirstOrThrow({
      where: { resourceType: 'oauth2_provider_app_token', action: 'delete', resourceTarget: app.name },
    });
    expect(audit.additionalFields).toMatchObject({ app_id: app.id, reason: 'refresh token used twice' });
  });

  it('introspects and revokes its own tokens', async () => {
    const user = await rows.user();
    const { app, secret } = await register('confidential');
    const config = await discover(app.id, client.ClientSecretBasic(secret));
    const tokens = await signIn(config, 'workspace:read user:read', await server.keyOf(user.id));
    const facts = await client.tokenIntrospection(config, tokens.access_token);
    expect(facts).toMatchObject({
      active: true,
      scope: 'user:read workspace:read',
      client_id: app.id,
      username: user.username,
      sub: user.id,
      iss: issuer,
    });
    expect((facts.exp ?? 0) - (facts.iat ?? 0)).toBe(3600);
    expect(await client.tokenIntrospection(config, tokens.refresh_token ?? '')).toMatchObject({ active: true });
    await client.tokenRevocation(config, tokens.refresh_token ?? '');
    expect(await statusWith(tokens.access_token)).toBe(401);
    for (const token of [tokens.access_token, tokens.refresh_token ?? '', 'nonsense']) {
      expect(await client.tokenIntrospection(config, token)).toEqual({ active: false });
      await expect(client.tokenRevocation(config, token)).resolves.toBeUndefined();
    }
  });

  it('authorizes a device by a code that a person types elsewhere', async () => {
    const user = await rows.user();
    const person = server.callAsUser(user.id);
    const { app } = await register('public');
    const config = await discover(app.id, client.None());
    const begun = await client.initiateDeviceAuthorization(config, { scope: 'read_only' });
    expect(begun).toMatchObject({ expires_in: 900, interval: 5, verification_uri: `${issuer}/device` });
    expect(begun.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    const shown = await person.oauth2.device({ user_code: begun.user_code.toLowerCase().replace('-', ' ') });
    expect(shown).toMatchObject({ app: { id: app.id, name: app.name }, scope: 'read_only', user_code: begun.user_code });
    expect(await person.oauth2.approveDevice({ user_code: begun.user_code, approve: true })).toEqual({ status: 'approved' });
    const tokens = await client.genericGrantRequest(config, 'urn:ietf:params:oauth:grant-type:device_code', {
      device_code: begun.device_code,
    });
    expect(await statusWith(tokens.access_token)).toBe(200);
    expect(await person.oauth2.grants({})).toMatchObject([{ app: { id: app.id }, scope: 'read_only' }]);
    await person.oauth2.revokeApp({ client_id: app.id });
    expect(await statusWith(tokens.access_token)).toBe(401);
    expect(await person.oauth2.grants({})).toEqual([]);
  });

  it('finds the same metadata at the root and under the API', async () => {
    const [root, api] = await Promise.all(
      ['', '/api/v2'].map(async (prefix) => (await fetch(`${issuer}${prefix}/.well-known/oauth-authorization-server`)).json()),
    );
    expect(root).toEqual(api);
    expect(root).toMatchObject({ issuer, code_challenge_methods_supported: ['S256'] });
  });
});
