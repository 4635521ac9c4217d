import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { given } from '@berth/testing';
import { Provider } from 'oidc-provider';
import { afterAll, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';
import { linkingBrowser } from '../testing/linking-browser.ts';
import { findLink, openLink } from './link-row.ts';
import { ExternalAuthSettings } from './settings.ts';

/*
 * The whole way against a certified provider library, which holds us to the standards where the fake code host holds us to habits:
 * authorization code with PKCE, rotation of refresh tokens, device codes, revocation.
 */
const CLIENT = { client_id: 'berth', client_secret: 'a-client-secret-of-our-own' };
const ACCOUNT = 'ada';
const SCOPE = 'openid';

const server = createServer();
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function newGrant(): Promise<InstanceType<Provider['Grant']>> {
  const grant = new provider.Grant({ accountId: ACCOUNT, clientId: CLIENT.client_id });
  grant.addOIDCScope(SCOPE);
  await grant.save();
  return grant;
}

const provider: Provider = new Provider(issuer, {
  clients: [
    {
      ...CLIENT,
      token_endpoint_auth_method: 'client_secret_post',
      redirect_uris: ['http://berth.test/external-auth/browser/callback'],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
    },
  ],
  pkce: { required: () => true },
  features: { deviceFlow: { enabled: true }, revocation: { enabled: true }, devInteractions: { enabled: false } },
  interactions: { url: () => '/sign-in' },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  loadExistingGrant: newGrant,
  rotateRefreshToken: true,
  issueRefreshToken: () => true,
  cookies: { keys: ['a key for the tests'] },
});
const answer = provider.callback();
server.on('request', (request: IncomingMessage, response: ServerResponse) => {
  // The person signs in at once.
  if (request.url === '/sign-in') return void provider.interactionFinished(request, response, { login: { accountId: ACCOUNT } });
  return void answer(request, response);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const api = await createTestApi({
  externalAuth: ExternalAuthSettings.parse(
    [{ id: 'browser' }, { id: 'device', device_flow: true, device_code_url: `${issuer}/device/auth` }].map((settings) => ({
      ...settings,
      ...CLIENT,
      type: 'standard',
      scopes: [SCOPE],
      authorize_url: `${issuer}/auth`,
      token_url: `${issuer}/token`,
      validate_url: `${issuer}/me`,
      revoke_url: `${issuer}/token/revocation`,
    })),
  ),
});

/** Follows the provider's redirects as a browser does, until one leads back to us. */
async function consent(address: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let next = address;
  for (let step = 0; step < 10; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? [];
      cookies.set(name, value);
    }
    next = new URL(response.headers.get('location') ?? '', next).href;
    if (next.startsWith('http://berth.test/')) return new URL(next).searchParams;
  }
  throw new Error('the provider does not lead back');
}

async function user(providerId: string) {
  const { id } = await given(api.prisma).user();
  const tokens = async () => {
    const row = await findLink(api.prisma, { userId: id, providerId });
    return row === null ? null : openLink(api.services, row);
  };
  return { browser: linkingBrowser(api, id), tokens };
}

it('links by a code with PKCE, refreshes with rotation, and revokes', async () => {
  const { browser, tokens } = await user('browser');
  const { url } = await browser.caller.begin({ externalauth: 'browser' });
  const back = await consent(url);
  await browser.caller.complete({
    externalauth: 'browser',
    attempt: browser.attemptOf('browser'),
    code: back.get('code') ?? '',
    state: back.get('state') ?? '',
  });
  expect((await browser.caller.list({})).links[0]).toMatchObject({ authenticated: true, has_refresh_token: true });
  const first = await tokens();

  api.clock.advance(3600 * 1000);
  const all = await Promise.all([1, 2, 3].map(() => browser.caller.get({ externalauth: 'browser' })));
  expect(all.map(({ authenticated }) => authenticated)).toEqual([true, true, true]);
  const second = await tokens();
  expect(second?.refreshToken).not.toBe(first?.refreshToken);

  await browser.caller.unlink({ externalauth: 'browser' });
  const shown = await fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${second?.accessToken}` } });
  expect(shown.status).toBe(401);
});

it('links by a device code once it was approved', async () => {
  const { browser, tokens } = await user('device');
  const device = await browser.caller.beginDevice({ externalauth: 'device' });
  expect(device.verification_uri).toBe(`${issuer}/device`);
  const complete = () => browser.caller.completeDevice({ externalauth: 'device', device_code: device.device_code });
  await expect(complete()).rejects.toMatchObject({ cause: { detail: 'authorization_pending' } });

  const code = await provider.DeviceCode.find(device.device_code);
  const { jti } = await newGrant();
  if (code === undefined) throw new Error('the provider does not know its code');
  await Object.assign(code, { accountId: ACCOUNT, grantId: jti, scope: SCOPE, authTime: 0 }).save();
  await complete();
  expect((await browser.caller.get({ externalauth: 'device' })).authenticated).toBe(true);
  expect((await tokens())?.refreshToken).toEqual(expect.any(String));
});
