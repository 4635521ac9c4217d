import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignOnSettings } from '@berth/api/server';
import { refreshProviderTokens } from '@berth/api/testing';
import { given } from '@berth/testing';
import { Provider } from 'oidc-provider';
import { afterAll, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { SignOnBrowser } from '../testing/sign-on-browser.ts';

/*
 * The whole way against a certified provider library, which holds us to the standards as the lying one holds us to our rules: discovery,
 * PKCE, nonce, signed ID tokens, userinfo, rotated refresh tokens. Two clients of it: one with a secret, one without.
 */
const BEGIN = '/api/v2/users/oidc/callback';
const HOUR_MS = 3_600_000;
const http = createServer();
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
const client = {
  redirect_uris: [`http://berth.test${BEGIN}`],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code' as const],
};

const provider: Provider = new Provider(issuer, {
  clients: [
    { ...client, client_id: 'secretive', client_secret: 'a-client-secret-of-our-own' },
    { ...client, client_id: 'public', token_endpoint_auth_method: 'none' },
  ],
  pkce: { required: () => true },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'], groups: ['groups'] },
  scopes: ['openid', 'email', 'profile', 'groups'],
  features: { devInteractions: { enabled: false } },
  interactions: { url: () => '/sign-in' },
  findAccount: (_, accountId) => ({
    accountId,
    claims: () => ({
      sub: accountId,
      email: `${accountId}@example.com`,
      email_verified: true,
      name: 'Ada Byron',
      preferred_username: accountId,
      groups: ['engineering'],
    }),
  }),
  loadExistingGrant: async ({ oidc }) => {
    const grant = new provider.Grant({ accountId: oidc.session?.accountId ?? '', clientId: oidc.client?.clientId ?? '' });
    grant.addOIDCScope('openid email profile groups');
    await grant.save();
    return grant;
  },
  rotateRefreshToken: true,
  issueRefreshToken: () => true,
  ttl: { AccessToken: 600, IdToken: 600, RefreshToken: 86_400, Grant: 86_400, Session: 86_400, Interaction: 600, AuthorizationCode: 60 },
  cookies: { keys: ['a key for the tests'] },
});
let account = 'ada';
const answer = provider.callback();
http.on('request', (request: IncomingMessage, response: ServerResponse) => {
  // The person signs in at once.
  if (request.url === '/sign-in') return void provider.interactionFinished(request, response, { login: { accountId: account } });
  return void answer(request, response);
});
afterAll(() => {
  http.closeAllConnections();
  http.close();
});

const base = {
  type: 'oidc',
  issuer_url: issuer,
  groups_claim: 'groups',
  allowed_groups: ['engineering'],
  scopes: ['openid', 'email', 'profile', 'groups'],
};
const server = await createTestServer({
  settings: {
    signOn: SignOnSettings.parse({
      providers: [
        { ...base, id: 'secretive', client_id: 'secretive', client_secret: 'a-client-secret-of-our-own' },
        { ...base, id: 'public', client_id: 'public' },
      ],
    }),
  },
});
await given(server.prisma).user({ siteRoles: ['owner'] });

it.each(['secretive', 'public'])('signs a person in by discovery, PKCE, nonce and userinfo, as the client %s', async (client) => {
  const browser = new SignOnBrowser(server);
  expect(await browser.signIn(`${BEGIN}?provider=${client}&redirect=/templates`)).toBe('/templates');
  expect(await browser.whoAmI()).toMatchObject({ username: 'ada', email: 'ada@example.com', name: 'Ada Byron' });
  // The same person by either client.
  expect(await server.prisma.user.count({ where: { email: 'ada@example.com' } })).toBe(1);
});

it('renews tokens by rotation again and again, and ends the session once the grant is revoked', async () => {
  account = 'grace';
  const browser = new SignOnBrowser(server);
  expect(await browser.signIn(`${BEGIN}?provider=secretive`)).toBe('/');
  const id = (await browser.whoAmI())?.id ?? '';
  const expiry = async () => (await server.prisma.userIdentity.findFirstOrThrow({ where: { userId: id } })).tokenExpiresAt?.getTime() ?? 0;
  for (let round = 0; round < 3; round++) {
    const before = await expiry();
    server.clock.advance(2 * HOUR_MS);
    expect(await browser.whoAmI()).not.toBeNull();
    await refreshProviderTokens(server.services);
    expect(await expiry()).toBeGreaterThan(before);
  }
  server.clock.advance(2 * HOUR_MS);
  expect(await browser.whoAmI()).not.toBeNull();
  const row = await server.prisma.userIdentity.findFirstOrThrow({ where: { userId: id } });
  const token = server.services.sealer.open(row.sealedRefreshToken ?? new Uint8Array(), `user_identities.sealed_refresh_token:${row.id}`);
  await (await provider.RefreshToken.find(token))?.destroy();
  await refreshProviderTokens(server.services);
  expect(await browser.whoAmI()).toBeNull();
});
