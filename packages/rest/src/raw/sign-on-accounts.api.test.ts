import { SignOnSettings } from '@berth/api/server';
import { freshAccessToken, hashPasswordForTest, refreshProviderTokens } from '@berth/api/testing';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { startFakeOidcProvider } from '../testing/fake-oidc-provider.ts';
import { createTestServer } from '../testing/index.ts';
import { SignOnBrowser } from '../testing/sign-on-browser.ts';

const BEGIN = '/api/v2/users/oidc/callback';
const PASSWORD = 'correct horse battery staple';
const HOUR_MS = 3_600_000;
const provider = await startFakeOidcProvider();
const server = await createTestServer({
  settings: {
    signOn: SignOnSettings.parse({ providers: [{ type: 'oidc', id: 'staff', client_id: 'berth', issuer_url: provider.issuer }] }),
  },
});
const rows = given(server.prisma);
const owner = await rows.user({ siteRoles: ['owner'] });

let people = 0;
function somebody(claims: Record<string, unknown> = {}) {
  people += 1;
  return {
    sub: `sub-${people}`,
    email: `person${people}@example.com`,
    email_verified: true,
    preferred_username: `person${people}`,
    ...claims,
  };
}

async function signedIn(claims = somebody()) {
  provider.answer = { claims };
  const browser = new SignOnBrowser(server);
  expect(await browser.signIn(BEGIN)).toBe('/');
  const me = await browser.whoAmI();
  if (me === null) throw new Error('nobody is signed in');
  return { browser, id: me.id, claims };
}

const refused = (code: string): string => `/login?error=${code}`;

describe('converting an account', () => {
  async function withPassword() {
    const user = await rows.user({ passwordHash: await hashPasswordForTest(PASSWORD) });
    const browser = new SignOnBrowser(server);
    browser.cookies.set('berth_session', await server.keyOf(user.id));
    return { user, browser };
  }
  async function convert(user: string, body: object = {}) {
    const key = await server.keyOf(user);
    return server.rest({
      method: 'POST',
      path: `/users/${user}/convert-login`,
      key,
      body: { to_type: 'oidc', password: PASSWORD, ...body },
    });
  }
  const begin = (answer: unknown): string =>
    `${BEGIN}?oidc_merge_state=${typeof answer === 'object' && answer !== null ? String(Reflect.get(answer, 'state_string')) : ''}`;

  it('exchanges the password for the provider: password, old sessions and their keys are gone, and the audit log has it', async () => {
    const { user, browser } = await withPassword();
    const old = await server.keyOf(user.id);
    const { status, body } = await convert(user.id);
    expect(status).toBe(201);
    expect(body).toMatchObject({ to_type: 'oidc', user_id: user.id, state_string: expect.stringMatching(/^convert-/) });
    provider.answer = { claims: somebody({ email: user.email.toUpperCase() }) };
    expect(await browser.signIn(begin(body))).toBe('/');
    expect(await browser.whoAmI()).toMatchObject({ id: user.id, login_type: 'oidc' });
    const row = await server.prisma.user.findUniqueOrThrow({ where: { id: user.id } });
    expect(row.passwordHash).toBeNull();
    expect((await server.rest({ method: 'GET', path: '/users/me', key: old })).status).toBe(401);
    const audited = await server.prisma.auditLog.findMany({ where: { userId: user.id }, orderBy: { time: 'asc' } });
    expect(audited.map(({ resourceType, action }) => `${resourceType} ${action}`)).toEqual(
      expect.arrayContaining(['convert_login create', 'user write', 'user_identity create', 'api_key login']),
    );
    expect(JSON.stringify(audited)).not.toContain('argon2');
    // From now on without the state.
    expect(await new SignOnBrowser(server).signIn(BEGIN)).toBe('/');
  });

  it('needs the password, a provider, and oneself', async () => {
    const { user } = await withPassword();
    const other = await withPassword();
    expect((await convert(user.id, { password: 'wrong' })).status).toBe(401);
    expect((await convert(user.id, { to_type: 'codehost' })).status).toBe(400);
    expect((await convert(user.id, { to_type: 'none' })).status).toBe(400);
    const key = await server.keyOf(owner.id);
    const path = `/users/${other.user.id}/convert-login`;
    expect((await server.rest({ method: 'POST', path, key, body: { to_type: 'oidc', password: PASSWORD } })).status).toBe(403);
  });

  it('works only in a browser that is signed in to that account, so that nobody’s provider account is linked to another’s', async () => {
    const { user } = await withPassword();
    const { body } = await convert(user.id);
    provider.answer = { claims: somebody({ email: user.email }) };
    const stranger = await withPassword();
    for (const browser of [new SignOnBrowser(server), stranger.browser]) {
      expect(await browser.signIn(begin(body))).toBe(refused('convert_other_account'));
    }
    const own = new SignOnBrowser(server);
    own.cookies.set('berth_session', await server.keyOf(user.id));
    const callback = await own.toCallback(begin(body));
    own.cookies.delete('berth_session');
    expect((await own.get(callback)).location).toBe(refused('convert_other_account'));
  });

  it('links no account of somebody else, none with another address, and nothing after five minutes', async () => {
    const { user, browser } = await withPassword();
    const { body } = await convert(user.id);
    const { claims } = await signedIn();
    provider.answer = { claims };
    expect(await browser.signIn(begin(body))).toBe(refused('identity_taken'));
    provider.answer = { claims: somebody() };
    expect(await browser.signIn(begin(body))).toBe(refused('convert_other_email'));
    provider.answer = { claims: somebody({ email: user.email, email_verified: false }) };
    expect(await browser.signIn(begin(body))).toBe(refused('email_not_verified'));
    provider.answer = { claims: somebody({ email: user.email }) };
    expect(await browser.signIn(`${BEGIN}?oidc_merge_state=convert-made-up`)).toBe(refused('convert_expired'));
    server.clock.advance(5 * 60_000);
    expect(await browser.signIn(begin(body))).toBe(refused('convert_expired'));
    expect((await server.prisma.user.findUniqueOrThrow({ where: { id: user.id } })).loginType).toBe('password');
  });
});

describe('linked accounts', () => {
  it('are listed to their user, whose only one stays until an administrator removes it, with its sessions', async () => {
    const { id, browser, claims } = await signedIn();
    const key = await server.keyOf(id);
    const { body } = await server.rest({ method: 'GET', path: `/users/${id}/identities`, key });
    expect(body).toEqual([
      expect.objectContaining({ user_id: id, provider_id: 'staff', kind: 'oidc', issuer: provider.issuer, subject: claims.sub }),
    ]);
    const [identity] = await server.prisma.userIdentity.findMany({ where: { userId: id } });
    const path = `/users/${id}/identities/${identity?.id}`;
    expect((await server.rest({ method: 'DELETE', path, key })).status).toBe(409);
    expect((await server.rest({ method: 'DELETE', path, key: await server.keyOf(owner.id) })).status).toBe(200);
    expect(await browser.whoAmI()).toBeNull();
    // Free to be claimed anew, by the verified address.
    expect((await signedIn({ ...claims, sub: 'a-new-subject' })).id).toBe(id);
  });

  it('of an owner are not removed by somebody with fewer rights', async () => {
    const { id } = await signedIn();
    await server.prisma.user.update({ where: { id }, data: { siteRoles: ['owner'] } });
    const [identity] = await server.prisma.userIdentity.findMany({ where: { userId: id } });
    const admin = await rows.user({ siteRoles: ['user-admin'] });
    const path = `/users/${id}/identities/${identity?.id}`;
    expect((await server.rest({ method: 'DELETE', path, key: await server.keyOf(admin.id) })).status).toBe(403);
  });

  it('show an administrator what the provider said, and keep tokens sealed', async () => {
    provider.answer = { claims: somebody({ team: 'a\u0000b' }), userInfo: { department: 'docks' } };
    const browser = new SignOnBrowser(server);
    await browser.signIn(BEGIN);
    const id = (await browser.whoAmI())?.id ?? '';
    const { body } = await server.rest({ method: 'GET', path: `/debug/${id}/debug-link`, key: await server.keyOf(owner.id) });
    expect(body).toMatchObject({
      id_token_claims: { team: 'ab', iss: provider.issuer },
      user_info_claims: { department: 'docks' },
      merged_claims: { team: 'ab', department: 'docks' },
    });
    const row = await server.prisma.userIdentity.findFirstOrThrow({ where: { userId: id } });
    expect(row.sealedAccessToken).not.toBeNull();
    expect(Buffer.from(row.sealedRefreshToken ?? []).toString('latin1')).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });
});

describe('the tokens of a provider', () => {
  const refreshes = (): number => provider.asked.filter((path) => path === '/token').length;

  /** Signs in, lets the provider's token expire, and uses the session. */
  async function expired() {
    const person = await signedIn();
    server.clock.advance(2 * HOUR_MS);
    expect(await person.browser.whoAmI()).not.toBeNull();
    return person;
  }

  it('are renewed after they expired and the session was used, at most once an hour, and the session goes on', async () => {
    const { browser, id } = await expired();
    const before = await server.prisma.userIdentity.findFirstOrThrow({ where: { userId: id } });
    const asked = refreshes();
    // Two replicas at once, and one a moment later.
    await Promise.all([refreshProviderTokens(server.services), refreshProviderTokens(server.services)]);
    await refreshProviderTokens(server.services);
    expect(refreshes()).toBe(asked + 1);
    const after = await server.prisma.userIdentity.findFirstOrThrow({ where: { userId: id } });
    expect(after.tokenExpiresAt?.getTime()).toBeGreaterThan(before.tokenExpiresAt?.getTime() ?? 0);
    expect(await browser.whoAmI()).not.toBeNull();
  });

  it('are renewed for a build that needs one, once for all builds at the same time, whether or not a session is used', async () => {
    const { id } = await signedIn();
    const first = await freshAccessToken(server.services, id);
    const asked = refreshes();
    expect(first).not.toBe('');
    server.clock.advance(2 * HOUR_MS);
    const tokens = await Promise.all([1, 2, 3].map(() => freshAccessToken(server.services, id)));
    expect(refreshes()).toBe(asked + 1);
    expect(new Set(tokens).size).toBe(1);
    expect(['', first]).not.toContain(tokens[0]);
  });

  it('are left alone while nobody uses the session', async () => {
    await signedIn();
    server.clock.advance(2 * HOUR_MS);
    const asked = refreshes();
    await refreshProviderTokens(server.services);
    expect(refreshes()).toBe(asked);
  });

  it('that the provider takes back for good end the sessions of that link at once, and no others, as the audit log tells', async () => {
    const { browser, id } = await expired();
    const other = await server.keyOf(id);
    provider.answer = { tokenError: { status: 400, error: 'invalid_grant' } };
    await refreshProviderTokens(server.services);
    expect(await browser.whoAmI()).toBeNull();
    expect((await server.rest({ method: 'GET', path: '/users/me', key: other })).status).toBe(200);
    const ended = await server.prisma.auditLog.findFirstOrThrow({ where: { resourceId: id, resourceType: 'api_key', action: 'delete' } });
    expect(ended).toMatchObject({ userId: null, additionalFields: { automatic_subsystem: 'sign_on', revoked_keys: 1 } });
  });

  it('that are refused while the person signs in anew do not end the new session', async () => {
    const { browser, claims } = await expired();
    provider.answer = { tokenError: { status: 400, error: 'invalid_grant' } };
    // The provider answers only when the new sign-in is through.
    provider.beforeAnswer = async () => {
      provider.beforeAnswer = null;
      provider.answer = { claims };
      expect(await browser.signIn(BEGIN)).toBe('/');
      provider.answer = { tokenError: { status: 400, error: 'invalid_grant' } };
    };
    await refreshProviderTokens(server.services);
    expect(await browser.whoAmI()).not.toBeNull();
  });

  it.each([
    ['cannot be reached', () => (provider.isUp = false)],
    ['has a failure of its own', () => (provider.answer = { tokenError: { status: 503, error: 'server_error' } })],
    ['does not know our client any more', () => (provider.answer = { tokenError: { status: 401, error: 'invalid_client' } })],
  ])('end nothing when the provider %s', async (_, fail) => {
    const { browser } = await expired();
    fail();
    await refreshProviderTokens(server.services);
    provider.isUp = true;
    expect(await browser.whoAmI()).not.toBeNull();
  });
});
