import { SignOnSettings } from '@berth/api/server';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { startFakeOidcProvider } from '../testing/fake-oidc-provider.ts';
import type { FakeAnswer } from '../testing/fake-oidc-provider.ts';
import { createTestServer } from '../testing/index.ts';
import { SignOnBrowser } from '../testing/sign-on-browser.ts';

const BEGIN = '/api/v2/users/oidc/callback';
const provider = await startFakeOidcProvider();
const second = await startFakeOidcProvider();
const base = { type: 'oidc', client_id: 'berth', client_secret: 'a-secret' };
const server = await createTestServer({
  settings: {
    signOn: SignOnSettings.parse({
      providers: [
        { ...base, id: 'staff', issuer_url: provider.issuer },
        { ...base, id: 'partners', issuer_url: second.issuer },
        { ...base, id: 'closed', issuer_url: provider.issuer, allow_sign_ups: false },
        { ...base, id: 'domains', issuer_url: provider.issuer, allowed_email_domains: ['example.com', '@Other.Example'] },
        { ...base, id: 'grouped', issuer_url: provider.issuer, groups_claim: 'groups', allowed_groups: ['engineering'] },
        { ...base, id: 'trusting', issuer_url: provider.issuer, ignore_email_verified: true, ignore_user_info: true },
      ],
    }),
  },
});
const rows = given(server.prisma);
await rows.user({ siteRoles: ['owner'] });

let people = 0;
/** Somebody whom nobody knows yet. */
function somebody(claims: Record<string, unknown> = {}): Record<string, unknown> & { sub: string; email: string } {
  people += 1;
  const name = `person${people}`;
  return {
    sub: `sub-${people}`,
    email: `${name}@example.com`,
    email_verified: true,
    preferred_username: name,
    name: 'A Person',
    ...claims,
  };
}

async function signIn(
  answer: FakeAnswer,
  query = '',
  browser = new SignOnBrowser(server),
): Promise<{ location: string; browser: SignOnBrowser }> {
  provider.answer = answer;
  return { location: await browser.signIn(`${BEGIN}${query}`), browser };
}

const refused = (code: string): string => `/login?error=${code}`;

describe('rule: identities link by issuer and subject only; signing in by OpenID Connect', () => {
  it('makes an account of the default organization at first and finds it by issuer and subject afterwards', async () => {
    const claims = somebody({ picture: 'https://pictures.example/p.png' });
    const first = await signIn({ claims });
    expect(first.location).toBe('/');
    const me = await first.browser.whoAmI();
    const organization = await server.prisma.organization.findFirstOrThrow({ where: { isDefault: true }, select: { id: true } });
    expect(me).toMatchObject({ email: claims.email, login_type: 'oidc', status: 'active', organization_ids: [organization.id] });
    const again = await signIn({ claims: { ...claims, preferred_username: 'somebody-else' } });
    expect((await again.browser.whoAmI())?.id).toBe(me?.id);
    const actions = await server.prisma.auditLog.findMany({
      where: { userId: me?.id ?? '', resourceType: 'api_key' },
      orderBy: { time: 'asc' },
    });
    expect(actions.map(({ action }) => action)).toEqual(['register', 'login']);
  });

  it('mirrors e-mail, name and picture at each sign-in, and keeps the username', async () => {
    const claims = somebody();
    const { browser } = await signIn({ claims });
    const before = await browser.whoAmI();
    await signIn({ claims: { ...claims, email: `new-${claims.email}`, name: 'New Name', preferred_username: 'other' } });
    expect(await browser.whoAmI()).toMatchObject({ email: `new-${claims.email}`, name: 'New Name', username: before?.username });
  });

  it('goes on when the new e-mail address belongs to another account, which keeps it', async () => {
    const other = await rows.user();
    const claims = somebody();
    await signIn({ claims });
    const { location, browser } = await signIn({ claims: { ...claims, email: other.email } });
    expect(location).toBe('/');
    expect((await browser.whoAmI())?.email).toBe(claims.email);
  });

  it('takes two people for two although both providers call them the same', async () => {
    const claims = somebody();
    const first = await signIn({ claims }, '?provider=staff');
    second.answer = { claims: { ...somebody(), sub: claims.sub } };
    const browser = new SignOnBrowser(server);
    expect(await browser.signIn(`${BEGIN}?provider=partners`)).toBe('/');
    expect((await browser.whoAmI())?.id).not.toBe((await first.browser.whoAmI())?.id);
  });

  it('lets one browser sign in in two tabs at once', async () => {
    const browser = new SignOnBrowser(server);
    provider.answer = { claims: somebody() };
    const [one, two] = [await browser.toCallback(`${BEGIN}?redirect=/one`), await browser.toCallback(`${BEGIN}?redirect=/two`)];
    expect((await browser.get(one)).location).toBe('/one');
    expect((await browser.get(two)).location).toBe('/two');
  });

  it('finds another username when the first is taken, and a name where the claim has none', async () => {
    const taken = await rows.user();
    const { browser } = await signIn({ claims: somebody({ preferred_username: taken.username }) });
    expect((await browser.whoAmI())?.username).toMatch(new RegExp(`^${taken.username.slice(0, 20)}.*-[0-9a-z]{5}$`));
  });

  it('makes a dormant account active', async () => {
    const claims = somebody();
    const id = (await (await signIn({ claims })).browser.whoAmI())?.id ?? '';
    await server.prisma.user.update({ where: { id }, data: { status: 'dormant' } });
    await signIn({ claims });
    expect((await server.prisma.user.findUniqueOrThrow({ where: { id } })).status).toBe('active');
  });
});

describe('an answer of the provider', () => {
  const now = Math.floor(Date.now() / 1000);
  it.each([
    ['another nonce', { forged: { nonce: 'another' } }],
    ['no nonce', { forged: { nonce: undefined } }],
    ['another issuer', { forged: { iss: 'https://evil.example' } }],
    ['another audience', { forged: { aud: 'somebody-else' } }],
    ['an ID token that is over', { forged: { iat: now - 7200, exp: now - 3600 } }],
    ['the signature of another key', { isSignedByOther: true }],
    ['a userinfo answer about somebody else', { userInfo: { sub: 'somebody-else' } }],
    ['the issuer of another provider beside the code', { callback: { iss: 'https://evil.example' } }],
    ['a code that its token endpoint does not know', { callback: { code: 'made-up' } }],
  ] satisfies [string, FakeAnswer][])('with %s opens no session and makes no account', async (_, answer) => {
    const claims = somebody();
    const { location, browser } = await signIn({ claims, ...answer });
    expect(location).toBe(refused('provider_answer_invalid'));
    expect(await browser.whoAmI()).toBeNull();
    expect(await server.prisma.user.count({ where: { email: claims.email } })).toBe(0);
  });

  it('that is a refusal is told as one', async () => {
    const browser = new SignOnBrowser(server);
    provider.answer = {};
    const callback = new URL(await browser.toCallback(BEGIN), 'http://berth.test');
    callback.searchParams.delete('code');
    callback.searchParams.set('error', 'access_denied');
    expect((await browser.get(`${callback.pathname}${callback.search}`)).location).toBe(refused('provider_denied'));
  });

  it('counts once: the same callback again opens no second session', async () => {
    const browser = new SignOnBrowser(server);
    provider.answer = { claims: somebody() };
    const callback = await browser.toCallback(BEGIN);
    const cookies = new Map(browser.cookies);
    expect((await browser.get(callback)).location).toBe('/');
    expect((await browser.get(callback)).location).toBe(refused('attempt_unknown'));
    // Not even for a thief of the cookie: the code was used.
    const thief = new SignOnBrowser(server);
    for (const [name, value] of cookies) thief.cookies.set(name, value);
    expect((await thief.get(callback)).location).toBe(refused('provider_answer_invalid'));
  });

  it('is not taken by a browser that did not begin, so that nobody is signed in unasked', async () => {
    provider.answer = { claims: somebody() };
    const attacker = new SignOnBrowser(server);
    const callback = await attacker.toCallback(BEGIN);
    const victim = new SignOnBrowser(server);
    expect((await victim.get(callback)).location).toBe(refused('attempt_unknown'));
    await victim.toCallback(BEGIN);
    expect((await victim.get(callback)).location).toBe(refused('attempt_unknown'));
    expect(await victim.whoAmI()).toBeNull();
  });

  it('is too late after ten minutes', async () => {
    provider.answer = { claims: somebody() };
    const browser = new SignOnBrowser(server);
    const callback = await browser.toCallback(BEGIN);
    server.clock.advance(10 * 60_000);
    expect((await browser.get(callback)).location).toBe(refused('attempt_unknown'));
  });
});

describe('rule: domains compare exactly, and an absent email_verified is not verified; an e-mail address', () => {
  it.each([
    ['that is said not to be verified', { email_verified: false }],
    ['of which nothing is said', { email_verified: undefined }],
    ['with anything else for a yes', { email_verified: 1 }],
  ])('%s lets nobody in', async (_, claims) => {
    expect((await signIn({ claims: somebody(claims) })).location).toBe(refused('email_not_verified'));
  });

  it('counts as verified where the settings say so', async () => {
    expect((await signIn({ claims: somebody({ email_verified: undefined }) }, '?provider=trusting')).location).toBe('/');
  });

  it('of the userinfo answer is not verified by the ID token, which spoke of another', async () => {
    const { location } = await signIn({ claims: somebody(), userInfo: { email: 'victim@example.com' } });
    expect(location).toBe(refused('email_not_verified'));
  });

  it('has to be there', async () => {
    expect((await signIn({ claims: somebody({ email: undefined }) })).location).toBe(refused('email_missing'));
  });

  it.each(['a@evilexample.com', 'a@example.com.evil', 'a@sub.example.com', 'a@example.comm', 'a@exam\u212Aple.com'])(
    'of a domain that only looks like an allowed one does not count: %s',
    async (email) => {
      const { location } = await signIn({ claims: somebody({ email }) }, '?provider=domains');
      expect(['email_domain_not_allowed', 'email_missing'].map(refused)).toContain(location);
    },
  );

  it.each(['ADA@EXAMPLE.COM', 'bob@other.example'])('of an allowed domain counts in any case: %s', async (email) => {
    expect((await signIn({ claims: somebody({ email }) }, '?provider=domains')).location).toBe('/');
  });

  it('takes over no account that signs in with a password, has another link, or signs in in no way', async () => {
    const password = await rows.user();
    const none = await rows.user({ loginType: 'none' });
    const linked = somebody();
    await signIn({ claims: linked });
    for (const email of [password.email, none.email, linked.email, password.email.toUpperCase()]) {
      const { location, browser } = await signIn({ claims: somebody({ email }) });
      expect(location).toBe(refused('email_taken'));
      expect(await browser.whoAmI()).toBeNull();
    }
    const attempts = await server.prisma.auditLog.findMany({
      where: { resourceId: password.id, resourceType: 'api_key', statusCode: 409 },
    });
    expect(attempts).toHaveLength(2);
    expect(attempts[0]?.userId).toBeNull();
  });

  it('claims an account that was prepared for a provider, once', async () => {
    const prepared = await rows.user({ loginType: 'oidc' });
    const first = await signIn({ claims: somebody({ email: prepared.email }) });
    expect((await first.browser.whoAmI())?.id).toBe(prepared.id);
    expect((await signIn({ claims: somebody({ email: prepared.email }) })).location).toBe(refused('email_taken'));
  });

  it('that is not verified claims no prepared account', async () => {
    const prepared = await rows.user({ loginType: 'oidc' });
    expect((await signIn({ claims: somebody({ email: prepared.email, email_verified: false }) })).location).toBe(
      refused('email_not_verified'),
    );
  });
});

describe('who may sign in', () => {
  it.each(
    [undefined, [], 'sales', ['Engineering'], { engineering: true }, 7, 'sales,engineering', ['engineering', 7]].map((groups) => ({
      groups,
    })),
  )('is nobody outside the allowed groups: %j', async (claims) => {
    expect((await signIn({ claims: somebody(claims) }, '?provider=grouped')).location).toBe(refused('not_in_allowed_group'));
  });

  it.each([{ groups: ['engineering'] }, { groups: 'engineering' }, { groups: ['sales', 'engineering'] }])(
    'is a member of an allowed group: %j',
    async (claims) => {
      expect((await signIn({ claims: somebody(claims) }, '?provider=grouped')).location).toBe('/');
    },
  );

  it('loses access with the group, and the refusal is in the audit log under their name', async () => {
    const claims = somebody({ groups: ['engineering'] });
    const { browser } = await signIn({ claims }, '?provider=grouped');
    const id = (await browser.whoAmI())?.id ?? '';
    expect((await signIn({ claims: { ...claims, groups: [] } }, '?provider=grouped')).location).toBe(refused('not_in_allowed_group'));
    expect(await server.prisma.auditLog.count({ where: { userId: id, resourceType: 'api_key', action: 'login', statusCode: 403 } })).toBe(
      1,
    );
  });

  it('is nobody new where sign-ups are off, and everybody known', async () => {
    const claims = somebody();
    expect((await signIn({ claims }, '?provider=closed')).location).toBe(refused('sign_ups_disabled'));
    await signIn({ claims });
    expect((await signIn({ claims }, '?provider=closed')).location).toBe('/');
  });

  it('is nobody who is suspended, and nobody whose account signs in in another way now', async () => {
    const claims = somebody();
    const id = (await (await signIn({ claims })).browser.whoAmI())?.id ?? '';
    await server.prisma.user.update({ where: { id }, data: { status: 'suspended' } });
    expect((await signIn({ claims })).location).toBe(refused('account_suspended'));
    await server.prisma.user.update({ where: { id }, data: { status: 'active', loginType: 'none' } });
    expect((await signIn({ claims })).location).toBe(refused('other_login_type'));
  });
});

describe('rule: redirects after sign-in go to a path of this server only; the way there and back', () => {
  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/%09/evil.example/..//evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    '/login?error=x',
  ])('leads nowhere else: %s', async (redirect) => {
    const { location } = await signIn({ claims: somebody() }, `?redirect=${encodeURIComponent(redirect)}`);
    expect(new URL(location, 'http://berth.test').origin).toBe('http://berth.test');
    expect(location).toMatch(/^\/(?![/\\])/);
    expect(location).not.toContain('login');
  });

  it('leads to the page that was asked for', async () => {
    const { location } = await signIn({ claims: somebody() }, `?redirect=${encodeURIComponent('/@me/box?tab=builds')}`);
    expect(location).toBe('/@me/box?tab=builds');
  });

  it('sends state, nonce and a challenge, and keeps its secrets in a cookie that scripts cannot read', async () => {
    const response = await server.app.inject({ url: `${BEGIN}?provider=staff` });
    expect(response.statusCode).toBe(307);
    const address = new URL(response.headers.location ?? '');
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'berth',
      redirect_uri: 'http://berth.test/api/v2/users/oidc/callback',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.any(String),
      scope: 'openid profile email',
    });
    expect(response.cookies).toEqual([expect.objectContaining({ httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 600 })]);
    expect(response.cookies[0]?.value).not.toContain(address.searchParams.get('nonce'));
  });

  it('moves to the name that the provider sends the browser back to, once', async () => {
    const navigate = { 'sec-fetch-mode': 'navigate', host: 'localhost:3000' };
    const moved = await server.app.inject({ url: `${BEGIN}?provider=staff`, headers: navigate });
    expect(moved.headers.location).toBe(`http://berth.test${BEGIN}?provider=staff&moved=1`);
    const again = await server.app.inject({ url: `${BEGIN}?provider=staff&moved=1`, headers: navigate });
    expect(again.headers.location).toMatch(provider.issuer);
  });

  it('does not begin by HEAD, nor with a provider that nobody configured', async () => {
    expect((await server.app.inject({ method: 'HEAD', url: BEGIN })).statusCode).not.toBe(307);
    expect((await new SignOnBrowser(server).get(`${BEGIN}?provider=none`)).location).toBe(refused('unknown_provider'));
    expect((await new SignOnBrowser(server).get('/api/v2/users/oauth2/codehost/callback')).location).toBe(refused('unknown_provider'));
  });

  it('keeps a bounded number of open attempts', async () => {
    const browser = new SignOnBrowser(server);
    for (let attempt = 0; attempt < 12; attempt++) await browser.get(BEGIN);
    expect(browser.cookies.size).toBeLessThanOrEqual(6);
  });
});

it('refuses to make the very first account of a deployment, which would have no owner', async () => {
  const fresh = await createTestServer({ settings: { signOn: server.services.settings.signOn } });
  provider.answer = { claims: somebody() };
  expect(await new SignOnBrowser(fresh).signIn(BEGIN)).toBe(refused('not_set_up'));
});

it('says so when the provider is down, before and after its page, and nobody else notices', async () => {
  const down = await startFakeOidcProvider();
  const own = await createTestServer({
    settings: {
      signOn: SignOnSettings.parse({
        providers: [
          { ...base, id: 'down', issuer_url: down.issuer },
          { ...base, id: 'staff', issuer_url: provider.issuer },
        ],
      }),
    },
  });
  await given(own.prisma).user();
  down.isUp = false;
  const browser = new SignOnBrowser(own);
  expect(await browser.signIn(`${BEGIN}?provider=down`)).toBe(refused('provider_unavailable'));
  provider.answer = { claims: somebody() };
  expect(await browser.signIn(`${BEGIN}?provider=staff`)).toBe('/');
  // It is asked again once it is back.
  down.isUp = true;
  down.answer = { claims: somebody() };
  const callback = await browser.toCallback(`${BEGIN}?provider=down`);
  down.isUp = false;
  expect((await browser.get(callback)).location).toBe(refused('provider_unavailable'));
});
