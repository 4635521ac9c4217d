import { SignOnSettings } from '@berth/api/server';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import type { FakeCodeHostAccount } from '../testing/fake-code-host.ts';
import { startFakeCodeHost } from '../testing/fake-code-host.ts';
import { startFakeOidcProvider } from '../testing/fake-oidc-provider.ts';
import { createTestServer } from '../testing/index.ts';
import { SignOnBrowser } from '../testing/sign-on-browser.ts';

const BEGIN = '/api/v2/users/oauth2/codehost/callback';
const host = await startFakeCodeHost();
const oidc = await startFakeOidcProvider();
const base = {
  type: 'codehost',
  client_id: 'berth',
  client_secret: 'a-secret',
  authorize_url: `${host.url}/login/oauth/authorize`,
  token_url: `${host.url}/login/oauth/access_token`,
  api_url: `${host.url}/`,
};
const server = await createTestServer({
  settings: {
    signOn: SignOnSettings.parse({
      providers: [
        { ...base, id: 'everyone', allow_everyone: true },
        { ...base, id: 'nobody' },
        { ...base, id: 'members', allowed_organizations: ['Example'] },
        { ...base, id: 'team', allowed_organizations: ['example'], allowed_teams: ['example/platform'] },
        { type: 'oidc', id: 'oidc', client_id: 'berth', issuer_url: oidc.issuer },
      ],
    }),
  },
});
await given(server.prisma).user({ siteRoles: ['owner'] });

let accounts = 1000;
function somebody(more: Partial<FakeCodeHostAccount> = {}): FakeCodeHostAccount {
  accounts += 1;
  return {
    id: accounts,
    login: `dev_${accounts}`,
    emails: [{ email: `dev${accounts}@example.com`, primary: true, verified: true }],
    ...more,
  };
}

async function signIn(account: FakeCodeHostAccount, provider: string) {
  host.account = account;
  const browser = new SignOnBrowser(server);
  return { location: await browser.signIn(`${BEGIN}?provider=${provider}`), browser };
}

const refused = (code: string): string => `/login?error=${code}`;

describe('signing in by a code host', () => {
  it('knows a person by the number of their account, whatever it is called now', async () => {
    const account = somebody({ name: 'A Developer' });
    const first = await signIn(account, 'everyone');
    expect(first.location).toBe('/');
    const me = await first.browser.whoAmI();
    expect(me).toMatchObject({ username: account.login.replace('_', '-'), name: 'A Developer', login_type: 'codehost' });
    const renamed = await signIn({ ...account, login: 'renamed' }, 'everyone');
    expect((await renamed.browser.whoAmI())?.id).toBe(me?.id);
    // Whoever takes the old name is somebody else.
    const squatter = await signIn(somebody({ login: account.login }), 'everyone');
    expect((await squatter.browser.whoAmI())?.id).not.toBe(me?.id);
  });

  it('never takes a number of the host for the subject of an OpenID Connect provider', async () => {
    const account = somebody();
    const { browser } = await signIn(account, 'everyone');
    oidc.answer = {
      claims: { sub: String(account.id), email: `other${account.id}@example.com`, email_verified: true, preferred_username: 'other' },
    };
    const other = new SignOnBrowser(server);
    expect(await other.signIn('/api/v2/users/oidc/callback')).toBe('/');
    expect((await other.whoAmI())?.id).not.toBe((await browser.whoAmI())?.id);
  });

  it.each([
    ['none', []],
    ['one that is not verified', [{ email: 'x@example.com', primary: true, verified: false }]],
    ['one that is not the primary one', [{ email: 'x@example.com', primary: false, verified: true }]],
  ])('needs a verified primary address, not %s', async (_, emails) => {
    expect((await signIn(somebody({ emails }), 'everyone')).location).toBe(refused('email_not_verified'));
  });

  it('lets nobody in while neither everyone nor an organization is allowed', async () => {
    expect((await signIn(somebody({ organizations: [{ login: 'example', state: 'active' }] }), 'nobody')).location).toBe(
      refused('not_in_allowed_group'),
    );
  });

  it('lets active members of an allowed organization in, also when they have many', async () => {
    const many = Array.from({ length: 120 }, (_, index) => ({ login: `org${index}`, state: 'active' }));
    for (const organizations of [[], [{ login: 'example', state: 'pending' }], [{ login: 'example-evil', state: 'active' }], many]) {
      expect((await signIn(somebody({ organizations }), 'members')).location).toBe(refused('not_in_allowed_group'));
    }
    expect((await signIn(somebody({ organizations: [...many, { login: 'example', state: 'active' }] }), 'members')).location).toBe('/');
  });

  it('lets members of an allowed team in, and not those of a team of the same name elsewhere', async () => {
    const organizations = [{ login: 'example', state: 'active' }];
    for (const teams of [[], ['example/sales'], ['evil/platform']]) {
      expect((await signIn(somebody({ organizations, teams }), 'team')).location).toBe(refused('not_in_allowed_group'));
    }
    expect((await signIn(somebody({ teams: ['example/platform'] }), 'team')).location).toBe(refused('not_in_allowed_group'));
    expect((await signIn(somebody({ organizations, teams: ['Example/Platform'] }), 'team')).location).toBe('/');
  });

  it('takes over nobody’s account by its e-mail address', async () => {
    const victim = await given(server.prisma).user();
    const { location } = await signIn(somebody({ emails: [{ email: victim.email, primary: true, verified: true }] }), 'everyone');
    expect(location).toBe(refused('email_taken'));
  });

  it('refuses a code that the host did not give, and follows no redirect of its API', async () => {
    host.account = somebody();
    const browser = new SignOnBrowser(server);
    const callback = await browser.toCallback(`${BEGIN}?provider=everyone`);
    expect((await browser.get(callback.replace(/code=[^&]+/, 'code=made-up'))).location).toBe(refused('provider_answer_invalid'));
    host.redirectsApi = true;
    expect(await browser.signIn(`${BEGIN}?provider=everyone`)).toBe(refused('provider_unavailable'));
    host.redirectsApi = false;
  });
});
