import { ExternalAuthSettings } from '@berth/api/server';
import { FAKE_CODE_HOST_CLIENT, always, startFakeCodeHost } from '@berth/api/testing';
import { given } from '@berth/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { recordingLog } from '../security/recording-log.ts';
import { createTestServer } from '../testing/index.ts';
import { listen } from '../testing/live.ts';

const host = await startFakeCodeHost({ expiresIn: 3600 });
const client = { ...FAKE_CODE_HOST_CLIENT, type: 'github', authorize_url: `${host.url}/login/oauth/authorize` };
const { lines, log, http } = recordingLog();
const server = await createTestServer({
  settings: {
    externalAuth: ExternalAuthSettings.parse([
      { ...client, id: 'code' },
      { ...client, id: 'device', device_flow: true },
    ]),
  },
  services: { log },
  http: { logger: http },
});
const { app, prisma } = server;
const rows = given(prisma);
const BROWSER = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-site': 'none' };

afterEach(() => {
  host.intercept = null;
});

interface Visit {
  readonly url: string;
  readonly key?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly cookies?: Record<string, string>;
}

/** What a browser gets at an address: the status, where it is led, and the cookies that it keeps. */
async function visit({ url, key, headers = BROWSER, cookies = {} }: Visit) {
  const response = await app.inject({
    method: 'GET',
    url,
    headers: { ...headers, ...(key === undefined ? {} : { 'service-session-token': key }) },
    cookies,
  });
  return { status: response.statusCode, to: String(response.headers.location ?? ''), response };
}

async function signedIn() {
  const user = await rows.user();
  return { user, key: await server.keyOf(user.id) };
}

/** Begins in the browser and consents at the host: the address that leads back, and the cookie. */
async function begun(key: string, path = '/external-auth/code/callback') {
  const { to, response } = await visit({ url: path, key });
  const [cookie] = response.cookies;
  return { back: host.consent(to), cookies: { [cookie?.name ?? '']: cookie?.value ?? '' }, cookie, to };
}

describe('linking an account in the browser', () => {
  it.each(['/external-auth/code/callback', '/api/v2/external-auth/code/callback'])(
    'goes to the host and comes back, at %s',
    async (path) => {
      const { user, key } = await signedIn();
      const { back, cookies } = await begun(key, `${path}?redirect=${encodeURIComponent('/workspaces?q=me')}`);
      expect(back.origin + back.pathname).toBe('http://berth.test/external-auth/code/callback');
      const done = await visit({ url: `${path}${back.search}`, key, cookies });
      expect({ status: done.status, to: done.to }).toEqual({ status: 307, to: '/workspaces?q=me' });
      expect(done.response.headers['cache-control']).toBe('no-store');
      expect(await prisma.externalAuthLink.count({ where: { userId: user.id } })).toBe(1);
    },
  );

  it('tells a browser on the service’s page what went wrong, and a program by a status', async () => {
    const { key } = await signedIn();
    const { cookies, back } = await begun(key);
    const url = `/external-auth/code/callback?error=access_denied&state=${back.searchParams.get('state')}`;
    const told = await visit({ url, key, cookies });
    expect(told.status).toBe(303);
    expect(told.to).toBe(`/external-auth/code?error=${encodeURIComponent('The external service refused. (access_denied)')}`);
    const program = await visit({ url, key, cookies, headers: { accept: 'application/json' } });
    expect(program.status).toBe(400);
    expect(program.response.json()).toEqual({ message: 'The external service refused.', detail: 'access_denied', validations: [] });
  });

  it('leads whoever is not signed in to the sign-in page and then to the service’s own, and refuses programs', async () => {
    const nobody = await visit({ url: '/external-auth/code/callback?redirect=/x' });
    expect({ status: nobody.status, to: nobody.to }).toEqual({ status: 303, to: '/login?redirect=%2Fexternal-auth%2Fcode' });
    expect((await visit({ url: '/external-auth/code/callback', headers: { accept: '*/*' } })).status).toBe(401);
    const answered = await visit({ url: '/external-auth/code/callback?code=x&state=y' });
    expect({ status: answered.status, to: answered.to.startsWith('/external-auth/code?error=') }).toEqual({ status: 303, to: true });
  });

  it('does not know what is not configured', async () => {
    const { key } = await signedIn();
    expect((await visit({ url: '/api/v2/external-auth/nothing/callback', key, headers: {} })).status).toBe(404);
  });
});

describe('security: redirects after linking go to a relative path of this server only', () => {
  it.each(['https://evil.example', '//evil.example', '/\\evil.example', '/%09/evil.example', '/%2F/evil.example'])(
    '%s',
    async (redirect) => {
      const { key } = await signedIn();
      const { back, cookies } = await begun(key, `/external-auth/code/callback?redirect=${encodeURIComponent(redirect)}`);
      const { to } = await visit({ url: `/external-auth/code/callback${back.search}`, key, cookies });
      expect(new URL(to, 'http://berth.test').origin).toBe('http://berth.test');
      expect(to.startsWith('/')).toBe(true);
    },
  );

  it('a service id that is a path stays below our own', async () => {
    const { key } = await signedIn();
    const { to } = await visit({ url: `/external-auth/${encodeURIComponent('/evil.example/..')}/callback`, key });
    expect(new URL(to, 'http://berth.test').origin).toBe('http://berth.test');
  });
});

describe('security: a link is begun and completed by one browser for one user', () => {
  it('keeps the attempt in a sealed cookie that no script reads', async () => {
    const { key } = await signedIn();
    const { cookie, to } = await begun(key);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 600 });
    expect(cookie?.value).not.toContain(new URL(to).searchParams.get('state'));
  });

  it('completes once, and not for a state of somebody else, another browser, or a lost cookie', async () => {
    const [attacker, victim] = await Promise.all([signedIn(), signedIn()]);
    const mine = await begun(attacker.key);
    const own = await begun(victim.key);
    const refused = async (visited: Visit): Promise<void> => {
      expect((await visit({ ...visited, headers: {} })).status).toBeOneOf([400, 401, 403]);
      expect(await prisma.externalAuthLink.count({ where: { userId: victim.user.id } })).toBe(0);
    };
    const url = `/external-auth/code/callback${mine.back.search}`;
    await refused({ url, key: victim.key });
    await refused({ url, key: victim.key, cookies: own.cookies });
    await refused({ url, key: victim.key, cookies: mine.cookies });
    await refused({ url: '/external-auth/code/callback?code=x', key: victim.key, cookies: own.cookies });
    await refused({ url: `${url}&state=again`, key: victim.key, cookies: mine.cookies });
    const done = await visit({ url, key: attacker.key, cookies: mine.cookies });
    expect(done.status).toBe(307);
    expect(done.response.cookies[0]).toMatchObject({ value: '', maxAge: 0 });
    expect((await visit({ url, key: attacker.key, cookies: mine.cookies, headers: {} })).status).toBe(400);
  });

  it.each(['cross-site', 'same-site'])('a %s page begins nothing: the person begins on our page', async (site) => {
    const { key } = await signedIn();
    const { status, to, response } = await visit({
      url: '/external-auth/code/callback',
      key,
      headers: { ...BROWSER, 'sec-fetch-site': site },
    });
    expect({ status, to, cookies: response.cookies }).toEqual({ status: 303, to: '/external-auth/code', cookies: [] });
  });

  it('HEAD begins and completes nothing', async () => {
    const { key } = await signedIn();
    const head = await app.inject({ method: 'HEAD', url: '/external-auth/code/callback', headers: { 'service-session-token': key } });
    expect(head.headers.location).toBeUndefined();
    expect(head.cookies).toEqual([]);
  });
});

describe('over REST', () => {
  it('a link is shown, validated and removed', async () => {
    const { key } = await signedIn();
    const { back, cookies } = await begun(key);
    await visit({ url: `/external-auth/code/callback${back.search}`, key, cookies });
    expect((await server.rest({ method: 'GET', path: '/external-auth', key })).body).toMatchObject({
      provider_id: 'code',
      links: [{ provider_id: 'code', authenticated: true, has_refresh_token: true, expires: expect.any(String) }],
    });
    expect((await server.rest({ method: 'GET', path: '/external-auth/code', key })).body).toMatchObject({ user: { login: 'octo' } });
    expect(await server.rest({ method: 'DELETE', path: '/external-auth/code', key })).toMatchObject({ status: 200, body: 'OK' });
    expect((await server.rest({ method: 'DELETE', path: '/external-auth/code', key })).status).toBe(404);
    expect((await server.rest({ method: 'GET', path: '/external-auth/nothing', key })).status).toBe(404);
  });

  it('a device code is given, pending, and completed with 204', async () => {
    const { key } = await signedIn();
    const path = '/external-auth/device/device';
    const { body } = await server.rest({ method: 'GET', path, key });
    expect(body).toMatchObject({ user_code: 'WDJB-MJHT' });
    const complete = () => server.rest({ method: 'POST', path, key, body: { device_code: Reflect.get(Object(body), 'device_code') } });
    expect(await complete()).toMatchObject({ status: 400, body: { detail: 'authorization_pending' } });
    host.enterUserCode();
    expect((await complete()).status).toBe(204);
    expect((await server.rest({ method: 'POST', path, key, body: {} })).status).toBe(400);
  });

  it('a git SSH key is shown and replaced, and its private half goes to the user’s agent alone', async () => {
    const { workspace, owner, job } = await rows.workspace({});
    const { token } = await rows.agent({ jobId: job.id });
    expect(workspace.ownerId).toBe(owner.id);
    const key = await server.keyOf(owner.id);
    const shown = await server.rest({ method: 'GET', path: '/users/me/gitsshkey', key });
    const replaced = await server.rest({ method: 'PUT', path: `/users/${owner.username}/gitsshkey`, key });
    expect([shown.status, replaced.status]).toEqual([200, 200]);
    const ofAgent = await server.rest({ method: 'GET', path: '/workspaceagents/me/gitsshkey', key: token });
    expect(ofAgent.body).toMatchObject({
      public_key: Reflect.get(Object(replaced.body), 'public_key'),
      private_key: expect.stringContaining('OPENSSH PRIVATE KEY'),
    });
    expect((await server.rest({ method: 'GET', path: '/workspaceagents/me/gitsshkey', key })).status).toBe(401);
  });

  it('an agent asks by one of two parameters, and is told where its owner links an account', async () => {
    const { job } = await rows.workspace({});
    const { token } = await rows.agent({ jobId: job.id });
    const ask = (query: string) => server.rest({ method: 'GET', path: `/workspaceagents/me/external-auth?${query}`, key: token });
    expect((await ask('match=https://x.example&id=code')).status).toBe(400);
    expect((await ask('')).status).toBe(400);
    expect((await ask('match=https://x.example')).status).toBe(404);
    expect((await ask('id=code&listen=maybe')).status).toBe(400);
    expect(await ask('id=code')).toMatchObject({ status: 200, body: { url: 'http://berth.test/external-auth/code', access_token: '' } });
  });
});

it('an agent that leaves while it listens is waited for no longer', async () => {
  const { url } = await listen(server);
  const { job } = await rows.workspace({});
  const { token } = await rows.agent({ jobId: job.id });
  const waiting = vi.spyOn(server.services.bus, 'waitFor');
  const leaving = new AbortController();
  const answer = fetch(`${url}/api/v2/workspaceagents/me/external-auth?id=code&listen=1`, {
    headers: { 'service-session-token': token },
    signal: leaving.signal,
  });
  await vi.waitFor(() => expect(waiting).toHaveBeenCalled());
  const signal = waiting.mock.calls[0]?.[2].signal;
  waiting.mockRestore();
  expect(signal?.aborted).toBe(false);
  leaving.abort();
  await expect(answer).rejects.toThrow();
  await vi.waitFor(() => expect(signal?.aborted).toBe(true));
});

describe('security: secrets stay out of logs, audit rows and refusals', () => {
  it('whatever the host does', async () => {
    const { user, key } = await signedIn();
    const link = async () => {
      const { back, cookies } = await begun(key);
      return visit({ url: `/external-auth/code/callback${back.search}`, key, cookies, headers: {} });
    };
    const told: string[] = [];
    const misbehaviours = [
      always(302, '', { location: 'https://evil.example/take' }),
      always(200, `<html>${'x'.repeat(300_000)}`, { 'content-type': 'text/html' }),
      always(200, { access_token: 'at_bad\nhost=evil.example' }),
      always(200, { access_token: 'at_bad\0' }),
      always(500, { access_token: 'at_bad' }),
    ];
    for (const misbehave of misbehaviours) {
      host.intercept = misbehave;
      const { status, response } = await link();
      expect(status).toBe(503);
      told.push(response.body);
    }
    host.intercept = null;
    expect((await link()).status).toBe(307);
    host.intercept = always(500);
    told.push((await app.inject({ method: 'GET', url: '/api/v2/external-auth', headers: { 'service-session-token': key } })).body);
    told.push((await app.inject({ method: 'DELETE', url: '/api/v2/external-auth/code', headers: { 'service-session-token': key } })).body);
    const audit = JSON.stringify(
      await prisma.auditLog.findMany({ where: { userId: user.id }, select: { diff: true, additionalFields: true } }),
    );
    const everything = [told.join('\n'), audit, lines.join('\n')].join('\n');
    expect(everything).not.toMatch(/at_|rt_|client-secret|code_verifier/);
    expect(lines.join('\n')).toContain('tokens could not be revoked');
  });
});
