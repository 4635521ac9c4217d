import { once } from 'node:events';
import { authChannel } from '@berth/api/server';
import { describe, expect, it } from 'vitest';
import type { Told } from '../../testing/apps.ts';
import { BROWSER, ask, echoed, openEcho, startApp, workspaceWithApps } from '../../testing/apps.ts';
import { createTestServer } from '../../testing/index.ts';
import { listen } from '../../testing/live.ts';

const server = await createTestServer();
const { prisma, bus, clock } = server;
const { url, port } = await listen(server);
const { port: appPort } = await startApp();

async function signedOut() {
  const made = await workspaceWithApps(server, {
    url,
    apps: ['web', 'other'].map((slug) => ({ slug, subdomain: true, url: `http://localhost:${appPort}` })),
  });
  return { ...made, host: made.hostOf('web'), session: made.key };
}
type Made = Awaited<ReturnType<typeof signedOut>>;

const cookiesOf = (told: Told): string => (told.headers['set-cookie'] ?? []).map((text) => text.split(';')[0]).join('; ');
const located = (told: Told): URL => new URL(told.headers.location ?? '');
const pathOf = (address: URL): string => `${address.pathname}${address.search}`;

/** A browser's way from an app's host to the dashboard's and back, up to the redirect with the key. */
async function wayBack({ host, session }: Pick<Made, 'host' | 'session'>, path = '/docs?page=2') {
  const first = await ask({ port, host, path, headers: BROWSER });
  const toSignIn = located(first);
  const redirected = await ask({
    port,
    host: 'berth.test',
    path: pathOf(toSignIn),
    headers: { ...BROWSER, cookie: `berth_session=${session}` },
  });
  return { first, toSignIn, redirected, state: cookiesOf(first) };
}

/** The whole way: the cookie of the app's host. */
async function signIn(made: Pick<Made, 'host' | 'session'>): Promise<string> {
  const { redirected, state } = await wayBack(made);
  const landed = await ask({ port, host: made.host, path: pathOf(located(redirected)), headers: { ...BROWSER, cookie: state } });
  expect(landed.status).toBe(303);
  return cookiesOf(landed);
}

describe('a browser that is not signed in on the host of an app', () => {
  it('is led to the dashboard’s host and back, and lands on the very page that it asked for', async () => {
    const made = await signedOut();
    const { first, toSignIn, redirected, state } = await wayBack(made);
    expect(first.status).toBe(303);
    expect(`${toSignIn.origin}${toSignIn.pathname}`).toBe('http://berth.test/api/v2/applications/auth-redirect');
    expect(toSignIn.searchParams.get('redirect_uri')).toBe(`http://${made.host}/docs?page=2`);
    expect(redirected.status).toBe(307);
    expect(redirected.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const back = located(redirected);
    expect(back.host).toBe(made.host);
    // Nobody on the way can read the key.
    expect(back.search).not.toContain(made.session.slice(0, 10));
    const landed = await ask({ port, host: made.host, path: pathOf(back), headers: { ...BROWSER, cookie: state } });
    expect(landed).toMatchObject({ status: 303, headers: { location: '/docs?page=2', 'referrer-policy': 'no-referrer' } });
    const [cookie = ''] = landed.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^berth_app_session=[\w-]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
    const opened = await ask({ port, host: made.host, path: '/docs?page=2', headers: { ...BROWSER, cookie: cookiesOf(landed) } });
    expect(opened.status).toBe(201);
    expect(opened.body).toContain('/docs?page=2');
  });

  it('is told 401 where it does not open a page', async () => {
    const { host } = await signedOut();
    expect((await ask({ port, host })).status).toBe(401);
    expect((await ask({ port, host, headers: { accept: 'text/html', 'sec-fetch-mode': 'cors' } })).status).toBe(401);
    expect((await ask({ port, host, method: 'POST', headers: BROWSER })).status).toBe(401);
    await expect(openEcho({ port, host })).rejects.toThrow('401');
  });

  it('is led alike whether the app exists or not', async () => {
    const made = await signedOut();
    expect((await ask({ port, host: made.hostOf('nothing'), headers: BROWSER })).status).toBe(303);
    expect((await ask({ port, host: 'web--main--nowhere--nobody.apps.berth.test', headers: BROWSER })).status).toBe(303);
  });

  it('signs in first when the dashboard does not know it either, by a path of the dashboard', async () => {
    const made = await signedOut();
    const first = located(await ask({ port, host: made.host, headers: BROWSER }));
    const login = await ask({ port, host: 'berth.test', path: pathOf(first), headers: BROWSER });
    expect(login.status).toBe(303);
    expect(login.headers.location).toBe(`/login?redirect=${encodeURIComponent(pathOf(first))}`);
    expect((await ask({ port, host: 'berth.test', path: pathOf(first) })).status).toBe(401);
  });

  it('has cookies of that one host, which no app can plant, behind TLS', async () => {
    const secure = await createTestServer({ settings: { accessUrl: 'https://berth.test' } });
    const other = await listen(secure);
    const first = await ask({ port: other.port, host: 'web--main--dev--ada.apps.berth.test', headers: BROWSER });
    const [cookie = ''] = first.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^__Host-berth_app_state=/);
    expect(cookie).toContain('; Secure');
    expect(cookie).not.toContain('Domain');
    expect(located(first).searchParams.get('redirect_uri')).toMatch(/^https:/);
  });
});

describe('the key that a browser brings', () => {
  it('works once', async () => {
    const made = await signedOut();
    const { redirected, state } = await wayBack(made);
    const bring = () => ask({ port, host: made.host, path: pathOf(located(redirected)), headers: { ...BROWSER, cookie: state } });
    const [one, two] = await Promise.all([bring(), bring()]);
    expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([303, 400]);
    expect((await bring()).body).toContain('could not be signed in');
  });

  it('works for a minute, on its host, in the browser that asked for it, as it was sent', async () => {
    const made = await signedOut();
    const { redirected, state } = await wayBack(made);
    const path = pathOf(located(redirected));
    const bring = (host: string, cookie: string, at = path) => ask({ port, host, path: at, headers: { ...BROWSER, cookie } });
    expect((await bring(made.hostOf('other'), state)).status).toBe(400);
    expect((await bring(`x---${made.host}`, state)).status).toBe(400);
    expect((await bring(made.host, '')).status).toBe(400);
    expect((await bring(made.host, 'berth_app_state=another')).status).toBe(400);
    expect((await bring(made.host, state, path.replace(/.{4}$/, 'AAAA'))).status).toBe(400);
    clock.advance(61_000);
    expect((await bring(made.host, state)).status).toBe(400);
    expect((await bring(made.host, state)).headers['set-cookie']).toBeUndefined();
  });

  it('never reaches the app, and none is taken on our own host', async () => {
    const made = await signedOut();
    const { redirected, state } = await wayBack(made);
    const { search } = located(redirected);
    const own = await ask({ port, host: 'berth.test', path: `${made.pathOf('web')}${search}`, headers: { ...BROWSER, cookie: state } });
    expect(own.status).toBe(303);
    expect(own.headers.location).toMatch(/^\/login/);
  });
});

describe('GET /applications/auth-redirect', () => {
  it('leads to hosts of apps only, under the scheme and port of this deployment', async () => {
    const { key, host } = await signedOut();
    const lead = (redirect_uri: string, headers = {}) =>
      ask({
        port,
        host: 'berth.test',
        path: `/api/v2/applications/auth-redirect?${new URLSearchParams({ redirect_uri }).toString()}`,
        headers: { cookie: `berth_session=${key}`, ...headers },
      });
    for (const bad of [
      '',
      'x',
      '/relative',
      'http://evil.example.com/',
      'http://apps.berth.test/',
      'http://anything.apps.berth.test/',
      `http://${host}.evil.example.com/`,
      `http://evil.example.com/${host}`,
      `http://evil.example.com\\@${host}`,
      'javascript:alert(1)',
      'data:text/html,x',
      'http://berth.test/',
    ]) {
      expect((await lead(bad)).status, bad).toBe(400);
    }
    const landing = new RegExp(`^http://${host}/a\\?b=c&berth_app_key=[\\w-]+$`);
    for (const asked of [`https://ada:secret@${host}:9999/a?b=c#d`, `http://${host}/a?b=c&berth_app_key=old`]) {
      expect((await lead(asked)).headers.location, asked).toMatch(landing);
    }
    expect((await lead(`http://${host}/`, { 'sec-fetch-mode': 'no-cors' })).status).toBe(400);
  });

  it('makes a key that opens apps and nothing else, is in the audit log, and ends no later than its session', async () => {
    const made = await signedOut();
    await signIn(made);
    const [key] = await prisma.apiKey.findMany({ where: { parentId: made.session.slice(0, 10) } });
    const session = await prisma.apiKey.findUniqueOrThrow({ where: { id: made.session.slice(0, 10) } });
    expect(key).toMatchObject({ scope: 'application_connect', userId: made.owner.id });
    expect(key?.expiresAt.getTime()).toBeLessThanOrEqual(session.expiresAt.getTime());
    expect(key?.absoluteExpiresAt.getTime()).toBeLessThanOrEqual(session.absoluteExpiresAt.getTime());
    const rows = await prisma.auditLog.findMany({ where: { userId: made.owner.id, resourceType: 'api_key', action: 'create' } });
    expect(rows.some((row) => row.resourceTarget === made.host)).toBe(true);
  });

  it('makes none of a key that is for apps itself, or only reads', async () => {
    const made = await signedOut();
    for (const scope of ['application_connect', 'read_only'] as const) {
      const { key } = await server.callAsUser(made.owner.id).tokens.create({ user: 'me', scope, token_name: scope.replace('_', '-') });
      const path = `/api/v2/applications/auth-redirect?redirect_uri=http://${made.host}/`;
      expect([403, 404]).toContain((await ask({ port, host: 'berth.test', path, headers: { 'service-session-token': key } })).status);
    }
  });
});

describe('a session on the host of an app', () => {
  it('is worth nothing on another host, nor on ours; nor is the dashboard’s worth anything there', async () => {
    const made = await signedOut();
    const cookie = await signIn(made);
    expect((await ask({ port, host: made.host, headers: { cookie } })).status).toBe(201);
    expect((await ask({ port, host: made.hostOf('other'), headers: { cookie } })).status).toBe(401);
    expect((await ask({ port, host: `x---${made.host}`, headers: { cookie } })).status).toBe(401);
    expect((await ask({ port, host: 'berth.test', path: '/api/v2/users/me', headers: { cookie } })).status).toBe(401);
    const asSession = cookie.replace('berth_app_session', 'berth_session');
    expect((await ask({ port, host: 'berth.test', path: '/api/v2/users/me', headers: { cookie: asSession } })).status).toBe(401);
    expect((await ask({ port, host: made.host, headers: { cookie: `berth_session=${made.session}` } })).status).toBe(401);
    expect((await ask({ port, host: made.host, headers: { cookie: `berth_app_session=${made.session}` } })).status).toBe(401);
  });

  const endings: [string, (made: Made) => Promise<unknown>][] = [
    [
      'who signed out of the dashboard',
      ({ session }) =>
        fetch(`${url}/api/v2/users/logout`, { method: 'POST', headers: { 'service-session-token': session } }).then((answer) =>
          expect(answer.status).toBe(200),
        ),
    ],
    [
      'whose session was revoked from elsewhere',
      ({ session, owner }) => server.callAsUser(owner.id).tokens.delete({ user: 'me', keyid: session.slice(0, 10) }),
    ],
    [
      'who is suspended',
      async ({ owner }) => {
        await prisma.user.update({ where: { id: owner.id }, data: { status: 'suspended' } });
        await bus.publish(prisma, authChannel, { user_id: owner.id });
      },
    ],
  ];

  it.each(endings)('ends at once, with what is open on it, for somebody %s', async (_, end) => {
    const made = await signedOut();
    const cookie = await signIn(made);
    const socket = await openEcho({ port, host: made.host, headers: { cookie } });
    expect(await echoed(socket, 'ahoy')).toBe('ahoy');
    const closed = once(socket, 'close');
    await end(made);
    await closed;
    await expect.poll(async () => (await ask({ port, host: made.host, headers: { cookie } })).status, { timeout: 20_000 }).toBe(401);
  });

  it('keeps the dashboard’s session alive while the app is in use, and never outlives it', async () => {
    const made = await signedOut();
    const cookie = await signIn(made);
    const id = made.session.slice(0, 10);
    const before = await prisma.apiKey.findUniqueOrThrow({ where: { id } });
    await prisma.apiKey.update({ where: { id }, data: { absoluteExpiresAt: new Date(before.expiresAt.getTime() + 86_400_000) } });
    await prisma.apiKey.updateMany({ where: { parentId: id }, data: { lastUsedAt: new Date(clock.now().getTime() - 7_200_000) } });
    await bus.publish(prisma, authChannel, { user_id: made.owner.id });
    clock.advance(60_000);
    await expect
      .poll(
        async () => {
          await ask({ port, host: made.host, headers: { cookie } });
          return (await prisma.apiKey.findUniqueOrThrow({ where: { id } })).expiresAt.getTime();
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(before.expiresAt.getTime());
    const [child] = await prisma.apiKey.findMany({ where: { parentId: id } });
    const after = await prisma.apiKey.findUniqueOrThrow({ where: { id } });
    expect(child?.expiresAt.getTime()).toBeLessThanOrEqual(after.expiresAt.getTime());
  });
});
