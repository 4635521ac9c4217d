import { given } from '@berth/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { FAKE_CODE_HOST_CLIENT, always, startFakeCodeHost } from '../testing/fake-code-host.ts';
import { createTestApi } from '../testing/index.ts';
import { linkingBrowser } from '../testing/linking-browser.ts';
import { ExternalAuthSettings } from './settings.ts';

const host = await startFakeCodeHost({ answersForms: true });
const authorize_url = `${host.url}/login/oauth/authorize`;
const client = { ...FAKE_CODE_HOST_CLIENT, type: 'github', authorize_url };
const api = await createTestApi({
  externalAuth: ExternalAuthSettings.parse([
    { ...client, id: 'code', display_name: 'Our code', app_install_url: 'https://code.example/apps/berth' },
    { ...client, id: 'again', extra_authorize_params: { prompt: 'consent' } },
    { ...client, id: 'device', device_flow: true },
  ]),
});
const { prisma, services, callAsUser } = api;
const rows = given(prisma);
const anyone = async () => {
  const { id } = await rows.user();
  return { id, browser: linkingBrowser(api, id) };
};
const auditOf = (userId: string) =>
  prisma.auditLog.findMany({
    where: { userId, resourceType: 'external_auth_link' },
    orderBy: { time: 'asc' },
    select: { action: true, statusCode: true, diff: true, resourceTarget: true },
  });

afterEach(() => {
  host.intercept = null;
  host.beforeGrant = null;
});

describe('linking an account in a browser', () => {
  it('keeps what the host grants, shows whose account it is, and leads back to where it began', async () => {
    const { id, browser } = await anyone();
    expect(await browser.link(host, 'code', '/templates?q=a')).toEqual({ redirect: '/templates?q=a' });
    expect(await browser.caller.get({ externalauth: 'code' })).toEqual({
      authenticated: true,
      device: false,
      display_name: 'Our code',
      user: {
        id: 1,
        login: 'octo',
        avatar_url: 'https://code.example/octo.png',
        profile_url: 'https://code.example/octo',
        name: 'Octo Cat',
      },
      app_installable: true,
      installations: [expect.objectContaining({ id: 7, configure_url: 'https://code.example/settings/7' })],
      app_install_url: 'https://code.example/apps/berth',
    });
    const list = await browser.caller.list({});
    expect(list.links).toEqual([
      expect.objectContaining({ provider_id: 'code', authenticated: true, validate_error: '', has_refresh_token: false, expires: null }),
    ]);
    expect(list).toMatchObject({ provider_id: 'code', authenticated: true });
    expect(list.providers.map((provider) => [provider.id, provider.device])).toEqual([
      ['code', false],
      ['again', false],
      ['device', true],
    ]);
    expect(await auditOf(id)).toEqual([expect.objectContaining({ action: 'create', statusCode: 200, resourceTarget: 'code' })]);
  });

  it('asks the host with PKCE, the one callback address, and the provider’s own parameters', async () => {
    const { browser } = await anyone();
    const { url } = await browser.caller.begin({ externalauth: 'again' });
    expect(url.startsWith(authorize_url)).toBe(true);
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'client',
      redirect_uri: 'http://berth.test/external-auth/again/callback',
      scope: 'repo workflow',
      code_challenge_method: 'S256',
      prompt: 'consent',
    });
    expect(url).not.toContain('client-secret');
  });

  it('leads to the provider’s page where it began nowhere in particular', async () => {
    const { browser } = await anyone();
    expect(await browser.link(host, 'code')).toEqual({ redirect: '/external-auth/code?redirected=true' });
  });

  it('links anew over a former link, as a change', async () => {
    const { id, browser } = await anyone();
    await browser.link(host, 'code');
    await browser.link(host, 'code');
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['create', 'write']);
    expect(await prisma.externalAuthLink.count({ where: { userId: id } })).toBe(1);
  });

  it('says the host’s own code when it or the person refuses, and records the attempt', async () => {
    const { id, browser } = await anyone();
    const state = await begun(browser);
    const denied = browser.caller.complete({ externalauth: 'code', attempt: browser.attemptOf('code'), state, error: 'access_denied' });
    await expect(denied).rejects.toMatchObject({ cause: { kind: 'invalid', detail: 'access_denied' } });
    const again = await begun(browser);
    const forged = browser.caller.complete({ externalauth: 'code', attempt: browser.attemptOf('code'), state: again, code: 'made up' });
    await expect(forged).rejects.toMatchObject({ cause: { kind: 'invalid', detail: 'bad_verification_code' } });
    expect((await auditOf(id)).map(({ statusCode, diff }) => ({ statusCode, diff }))).toEqual([
      { statusCode: 400, diff: {} },
      { statusCode: 400, diff: {} },
    ]);
    expect(await prisma.externalAuthLink.count({ where: { userId: id } })).toBe(0);
  });

  it('is unavailable while the host answers nonsense', async () => {
    const { browser } = await anyone();
    host.intercept = ({ path }, response) => {
      if (!path.endsWith('access_token')) return false;
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>We will be back soon</html>');
      return true;
    };
    await expect(browser.link(host, 'code')).rejects.toMatchObject({ cause: { kind: 'unavailable' } });
  });

  it('holds no transaction open while it waits for the host', async () => {
    const { browser } = await anyone();
    let open: unknown;
    host.beforeGrant = async () => {
      open = await prisma.$queryRaw`
        SELECT count(*)::int AS count FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND datname = current_database()`;
    };
    await browser.link(host, 'code');
    expect(open).toEqual([{ count: 0 }]);
  });

  it('knows only what is configured', async () => {
    const { browser } = await anyone();
    await expect(browser.caller.get({ externalauth: 'nothing' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(browser.caller.begin({ externalauth: 'nothing' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(browser.caller.begin({ externalauth: 'device' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(browser.caller.beginDevice({ externalauth: 'code' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

async function begun(browser: ReturnType<typeof linkingBrowser>): Promise<string> {
  const { url } = await browser.caller.begin({ externalauth: 'code' });
  return new URL(url).searchParams.get('state') ?? '';
}

describe('security: redirects after linking go to a relative path of this server only', () => {
  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/%5cevil', 'javascript:alert(1)', '/.//evil.example'])(
    'the redirect %s leads nowhere else',
    async (redirect) => {
      const { browser } = await anyone();
      const { redirect: to } = await browser.link(host, 'code', redirect);
      expect(new URL(to, 'http://berth.test').origin).toBe('http://berth.test');
    },
  );
});

describe('security: nobody links an account for somebody else', () => {
  it('refuses an attempt that another user began, even with its cookie, code and state', async () => {
    const [attacker, victim] = await Promise.all([anyone(), anyone()]);
    const { url } = await attacker.browser.caller.begin({ externalauth: 'code' });
    const { searchParams } = host.consent(url);
    const stolen = { externalauth: 'code', code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' };
    const withCookie = victim.browser.caller.complete({ ...stolen, attempt: attacker.browser.attemptOf('code') });
    await expect(withCookie).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(victim.browser.caller.complete({ ...stolen, attempt: '' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await prisma.externalAuthLink.count({ where: { userId: victim.id } })).toBe(0);
  });

  it('refuses the state of another attempt or provider, and none at all', async () => {
    const { browser } = await anyone();
    const other = await begun(browser);
    const state = await begun(browser);
    const complete = (input: object) =>
      browser.caller.complete({ externalauth: 'code', attempt: browser.attemptOf('code'), code: 'x', ...input });
    await expect(complete({ state: other })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(complete({ state, externalauth: 'again' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(complete({})).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('links nothing for a user who was suspended while the host answered', async () => {
    const { id } = await anyone();
    const key = await api.keyOf(id);
    const authenticate = async () => (await services.authenticator.byToken(key, '')) ?? { kind: 'anonymous' as const };
    expect((await authenticate()).kind).toBe('user');
    const browser = linkingBrowser({ ...api, authenticate }, id);
    host.beforeGrant = async () => {
      await prisma.user.update({ where: { id }, data: { status: 'suspended' } });
      services.authenticator.forgetUser(id);
    };
    await expect(browser.link(host, 'code')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await prisma.externalAuthLink.count({ where: { userId: id } })).toBe(0);
  });
});

describe('linking an account by a device code', () => {
  it('is pending until the code is entered, then linked; what is pending is not recorded', async () => {
    const { id, browser } = await anyone();
    const device = await browser.caller.beginDevice({ externalauth: 'device' });
    expect(device).toMatchObject({ user_code: 'WDJB-MJHT', interval: 5, expires_in: 900 });
    const complete = () => browser.caller.completeDevice({ externalauth: 'device', device_code: device.device_code });
    await expect(complete()).rejects.toMatchObject({ cause: { kind: 'invalid', detail: 'authorization_pending' } });
    expect(await auditOf(id)).toEqual([]);
    host.enterUserCode();
    await complete();
    expect((await browser.caller.get({ externalauth: 'device' })).authenticated).toBe(true);
    expect(await auditOf(id)).toEqual([expect.objectContaining({ action: 'create', statusCode: 204 })]);
  });

  it.each(['slow_down', 'expired_token', 'access_denied'])('passes the host’s %s on', async (error) => {
    const { browser } = await anyone();
    host.intercept = always(400, { error });
    await expect(browser.caller.completeDevice({ externalauth: 'device', device_code: 'x' })).rejects.toMatchObject({
      cause: { kind: 'invalid', detail: error },
    });
  });

  it('takes no code whose page is not on the web', async () => {
    const { browser } = await anyone();
    const device = { device_code: 'a', user_code: 'b', verification_uri: 'javascript:alert(1)', expires_in: 5, interval: 5 };
    host.intercept = always(200, device);
    await expect(browser.caller.beginDevice({ externalauth: 'device' })).rejects.toMatchObject({ cause: { kind: 'unavailable' } });
  });
});

const hangUp: typeof host.intercept = (_, response) => {
  response.destroy();
  return true;
};

describe('unlinking', () => {
  it('removes the link, takes the token back at the host, and records no token', async () => {
    const { id, browser } = await anyone();
    await browser.link(host, 'code');
    expect(await browser.caller.unlink({ externalauth: 'code' })).toBe('OK');
    const revoked = host.to('/api/v3/applications/client/token').at(-1);
    expect(revoked?.method).toBe('DELETE');
    expect(revoked?.authorization).toBe(`Basic ${Buffer.from('client:client-secret').toString('base64')}`);
    expect(revoked?.body).toMatch(/"access_token":"at_/);
    expect(await prisma.externalAuthLink.count({ where: { userId: id } })).toBe(0);
    const audit = await auditOf(id);
    expect(audit.map(({ action }) => action)).toEqual(['create', 'delete']);
    expect(audit[1]?.diff).toMatchObject({ access_token: { secret: true, old: '', new: '' }, provider_id: { old: 'code' } });
    expect(JSON.stringify(audit)).not.toContain('at_');
  });

  it('removes the link also when the host fails', async () => {
    const { id, browser } = await anyone();
    for (const misbehave of [always(500), hangUp]) {
      host.intercept = null;
      await browser.link(host, 'code');
      host.intercept = misbehave;
      expect(await browser.caller.unlink({ externalauth: 'code' })).toBe('OK');
      expect(await prisma.externalAuthLink.count({ where: { userId: id } })).toBe(0);
    }
  });

  it('finds nothing without a link, and removes what is configured no longer', async () => {
    const { id, browser } = await anyone();
    await expect(browser.caller.unlink({ externalauth: 'code' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await prisma.externalAuthLink.create({ data: { userId: id, providerId: 'former', sealedAccessToken: new Uint8Array(40) } });
    expect((await browser.caller.list({})).links[0]).toMatchObject({ provider_id: 'former', authenticated: false });
    expect(await browser.caller.unlink({ externalauth: 'former' })).toBe('OK');
  });

  it('is somebody’s own: another user’s link stays', async () => {
    const [one, two] = await Promise.all([anyone(), anyone()]);
    await one.browser.link(host, 'code');
    await expect(two.browser.caller.unlink({ externalauth: 'code' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await callAsUser(two.id).externalAuth.list({})).links).toEqual([]);
    expect((await one.browser.caller.get({ externalauth: 'code' })).authenticated).toBe(true);
  });
});

describe('a link that stopped working', () => {
  it('is told apart from a host that does not answer', async () => {
    const { browser } = await anyone();
    await browser.link(host, 'code');
    const told = async () => (await browser.caller.list({})).links[0];
    host.intercept = always(503);
    expect(await told()).toMatchObject({ authenticated: false, validate_error: 'The service answered with status 503.' });
    host.intercept = always(403, {}, { 'x-ratelimit-remaining': '0' });
    expect(await told()).toMatchObject({ authenticated: false, validate_error: 'The service answered with status 403.' });
    host.intercept = always(401);
    expect(await told()).toMatchObject({ authenticated: false, validate_error: 'The service does not take the token.' });
    host.intercept = null;
    expect(await told()).toMatchObject({ authenticated: true, validate_error: '' });
  });

  it('security: what a host says of an account becomes no address but one of the web', async () => {
    const { browser } = await anyone();
    await browser.link(host, 'code');
    const account = { id: 2, login: 'x\0y', avatar_url: 'javascript:alert(1)', html_url: 'data:text/html,x', name: null };
    host.intercept = always(200, account);
    expect((await browser.caller.get({ externalauth: 'code' })).user).toEqual({
      id: 2,
      login: 'xy',
      avatar_url: '',
      profile_url: '',
      name: '',
    });
  });
});

describe('security: secrets are encrypted where they must be read back', () => {
  it('no column holds a token as it is, and one of another user’s row does not open', async () => {
    const [one, two] = await Promise.all([anyone(), anyone()]);
    await one.browser.link(host, 'code');
    await two.browser.link(host, 'code');
    const text = JSON.stringify(await prisma.$queryRaw`SELECT encode(l::text::bytea, 'escape') AS text FROM external_auth_links l`);
    expect(text).not.toMatch(/at_[0-9a-f]{8}/);
    const { sealedAccessToken } = await prisma.externalAuthLink.findFirstOrThrow({ where: { userId: one.id } });
    await prisma.externalAuthLink.update({
      where: { userId_providerId: { userId: two.id, providerId: 'code' } },
      data: { sealedAccessToken },
    });
    expect((await two.browser.caller.list({})).links[0]).toMatchObject({
      authenticated: false,
      validate_error: 'The stored token can no longer be read.',
    });
  });
});
