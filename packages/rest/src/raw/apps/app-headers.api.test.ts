import { describe, expect, it } from 'vitest';
import { BROWSER, ask, askApp, openEcho, sendRaw, startApp, workspaceWithApps } from '../../testing/apps.ts';
import { createTestServer } from '../../testing/index.ts';
import { listen } from '../../testing/live.ts';

const server = await createTestServer({ http: { trustedProxies: ['127.0.0.1'] } });
const { url, port } = await listen(server);
const app = await startApp();
/** Answers with what the request's own headers ask for, each `Name: value` in a line of `x-answer`. */
const { port: talkative } = await startApp((request, response) => {
  const pairs = String(request.headers['x-answer'] ?? '')
    .split('|')
    .filter((line) => line !== '')
    .flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]);
  response.writeHead(Number(request.headers['x-status'] ?? 200), pairs);
  response.end(request.headers['x-status'] === '304' ? undefined : 'hello');
});
const made = await workspaceWithApps(server, {
  url,
  apps: [
    { slug: 'web', subdomain: true, sharingLevel: 'public', url: `http://localhost:${app.port}` },
    { slug: 'own', subdomain: true, url: `http://localhost:${app.port}` },
    { slug: 'talk', subdomain: true, sharingLevel: 'public', url: `http://localhost:${talkative}` },
    { slug: 'path', url: `http://localhost:${app.port}` },
    { slug: 'path-talk', url: `http://localhost:${talkative}` },
  ],
});
const host = made.hostOf('web');
const [key, talk] = [made.key, made.hostOf('talk')];
const path = { port, host: 'berth.test', path: made.pathOf('path') };

describe('an app gets of a request', () => {
  it('no credential of ours, and every other header as it was written', async () => {
    const asked = await askApp({
      port,
      host,
      headers: {
        'Service-Session-Token': key,
        'Service-Provisioner-Key': 'x',
        'X-CSRF-Token': 'the-app’s-own'.replace('’', ''),
        Authorization: `Bearer ${key}`,
        Cookie:
          'a=1; berth_session=x; __Host-berth_session=x; berth_csrf=x; b=2; berth_attempt.sign-on=x; BERTH_x=1; berth_app_session=x; berth_app_token=x',
        'X-MiXeD-Case': 'kept',
      },
    });
    expect(asked.headers['cookie']).toBe('a=1; b=2');
    for (const name of ['service-session-token', 'service-provisioner-key', 'authorization']) expect(asked.headers[name]).toBeUndefined();
    expect(asked.headers['x-csrf-token']).toBe('the-apps-own');
    expect(asked.rawHeaders).toContain('X-MiXeD-Case');
    const below = await askApp({
      ...path,
      headers: { cookie: `berth_session=${key}; a=1`, 'x-csrf-token': 'ours', authorization: 'Basic YTpi' },
    });
    expect(below.headers).toMatchObject({ cookie: 'a=1', authorization: 'Basic YTpi' });
    expect(below.headers['x-csrf-token']).toBeUndefined();
  });

  it('the sign-in of its own, which is no key of ours', async () => {
    for (const authorization of ['Basic YWRhOnBhc3N3b3Jk', 'token abc', 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x']) {
      expect((await askApp({ port, host, headers: { authorization } })).headers.authorization).toBe(authorization);
    }
  });

  it('the host that was asked for, and where it came from by our word alone', async () => {
    const forged = {
      'x-forwarded-for': '6.6.6.6, 7.7.7.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '1',
      'x-forwarded-prefix': '/evil',
      forwarded: 'for=6.6.6.6',
      'x-real-ip': '6.6.6.6',
    };
    const { headers } = await askApp({ port, host: `${host}:8443`, headers: forged });
    expect(headers).toMatchObject({
      host: `${host}:8443`,
      'x-forwarded-host': `${host}:8443`,
      'x-forwarded-for': '7.7.7.7',
      'x-forwarded-proto': 'http',
    });
    for (const name of ['forwarded', 'x-real-ip', 'x-forwarded-port', 'x-forwarded-prefix']) expect(headers[name]).toBeUndefined();
  });

  it('nothing that belongs to the connection, nor what the connection names, and never a body without its frame', async () => {
    const { headers, body } = await askApp({
      port,
      host,
      method: 'POST',
      body: 'hello',
      headers: {
        connection: 'keep-alive, x-hop, content-length, transfer-encoding, host',
        'x-hop': '1',
        te: 'trailers',
        'proxy-authorization': 'x',
        'proxy-connection': 'x',
        'keep-alive': 'timeout=5',
        'content-length': '5',
      },
    });
    expect(body).toBe('hello');
    const hops = ['x-hop', 'te', 'proxy-authorization', 'proxy-connection', 'keep-alive'];
    for (const name of hops) expect(headers[name], name).toBeUndefined();
    expect(headers.host).toBe(host);
  });

  it.each(['GET', 'DELETE', 'OPTIONS', 'POST'])('a body in pieces as a body in pieces, whatever the method: %s', async (method) => {
    const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await sendRaw(
      port,
      `${method} /seen HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
    );
    expect(answer).toContain('201 Created');
    expect(app.asked.at(-1)).toMatchObject({ url: '/seen', body: smuggled });
    expect(app.asked.some((asked) => asked.url === '/smuggled')).toBe(false);
  });

  it('the spelling of WebSocket headers that every server knows', async () => {
    const socket = await openEcho({
      port,
      host,
      headers: { 'sec-websocket-key': 'x', 'sec-WEBSOCKET-protocol': 'theirs', cookie: 'berth_app_session=x; a=1' },
    });
    socket.destroy();
    const asked = app.asked.at(-1);
    expect(asked?.rawHeaders).toEqual(expect.arrayContaining(['Sec-WebSocket-Key', 'Sec-WebSocket-Protocol', 'Upgrade', 'Connection']));
    expect(asked?.headers.cookie).toBe('a=1');
  });
});

describe('a request that could be read in two ways', () => {
  const head = `Host: ${host}\r\nConnection: close\r\n`;
  it.each([
    ['two lengths', `POST / HTTP/1.1\r\n${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`],
    [
      'a length and pieces',
      `POST / HTTP/1.1\r\n${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n`,
    ],
    ['pieces under another name', `POST / HTTP/1.1\r\n${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['pieces twice', `POST / HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`],
    ['a space before the colon', `POST / HTTP/1.1\r\n${head}Content-Length : 5\r\n\r\nhello`],
    ['a folded header', `GET / HTTP/1.1\r\n${head}X-A: 1\r\n Transfer-Encoding: chunked\r\n\r\n`],
    ['two hosts', `GET / HTTP/1.1\r\n${head}Host: other.apps.berth.test\r\n\r\n`],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['a length that is no number', `POST / HTTP/1.1\r\n${head}Content-Length: +5\r\n\r\nhello`],
    ['another server in its first line', `GET http://evil.example.com/ HTTP/1.1\r\n${head}\r\n`],
    [
      'an upgrade with a body',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 5\r\n\r\nhello`,
    ],
    [
      'an upgrade to HTTP/2',
      `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n`,
    ],
  ])('is refused: %s', async (_, bytes) => {
    const before = app.asked.length;
    expect(await sendRaw(port, bytes)).toMatch(/^HTTP\/1\.1 400 /);
    expect(app.asked.length).toBe(before);
  });
});

describe('a visitor gets of an answer', () => {
  const answering = (lines: readonly string[], status = '200', at: { host?: string; path?: string } = {}) =>
    ask({ port, host: talk, ...at, headers: { 'x-answer': lines.join('|'), 'x-status': status, 'service-session-token': key } });

  it('no cookie under a name of ours, set or cleared, and the app’s own as they were', async () => {
    const told = await answering([
      'Set-Cookie:berth_session=stolen',
      'Set-Cookie:__Host-berth_session=; Max-Age=0',
      'Set-Cookie: Berth_App_Session=x',
      'Set-Cookie:mine=1; Path=/; HttpOnly',
      'set-cookie:other=2',
    ]);
    expect(told.headers['set-cookie']).toEqual(['mine=1; Path=/; HttpOnly', 'other=2']);
  });

  it('nothing by which the app would decide who reads it, or send visitors past us', async () => {
    const told = await answering([
      'Access-Control-Allow-Origin:*',
      'Access-Control-Allow-Credentials:true',
      'Vary:Origin, Accept-Encoding',
      'Alt-Svc:h3=":443"',
      'Keep-Alive:timeout=1',
      'Content-Security-Policy:sandbox',
      'Service-Worker-Allowed:/',
    ]);
    expect(Object.keys(told.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(told.headers['alt-svc']).toBeUndefined();
    expect(told.headers).toMatchObject({ vary: 'Accept-Encoding', 'content-security-policy': 'sandbox', 'service-worker-allowed': '/' });
    expect(told.headers['x-berth-version']).toBeUndefined();
  });

  it('nothing that speaks for the whole host, where the app is below a path of it', async () => {
    const lines = ['Strict-Transport-Security:max-age=1', 'Clear-Site-Data:"*"', 'Service-Worker-Allowed:/', 'X-Own:1'];
    const told = await answering(lines, '200', { host: 'berth.test', path: made.pathOf('path-talk') });
    expect(told.headers['x-own']).toBe('1');
    const ofTheHost = ['strict-transport-security', 'clear-site-data', 'service-worker-allowed'];
    for (const name of ofTheHost) expect(told.headers[name]).toBeUndefined();
  });

  it('the status, the length and the coding as the app said them', async () => {
    const gone = await answering(['Content-Length:5', 'Content-Encoding:br', 'ETag:"x"'], '299');
    expect(gone).toMatchObject({ status: 299, body: 'hello', headers: { 'content-length': '5', 'content-encoding': 'br', etag: '"x"' } });
    expect(await answering(['ETag:"x"'], '304')).toMatchObject({ status: 304, body: '', headers: { etag: '"x"' } });
    const head = await ask({ port, host: talk, method: 'HEAD', headers: { 'x-answer': 'Content-Length:5' } });
    expect(head).toMatchObject({ status: 200, body: '', headers: { 'content-length': '5' } });
  });
});

describe('a page of another app', () => {
  const sibling = `http://${made.hostOf('own')}`;
  const foreign = 'http://web--main--dev--mallory.apps.berth.test';

  it('may read and write an app of the same owner, with its cookies', async () => {
    const preflight = await ask({
      port,
      host,
      method: 'OPTIONS',
      headers: { origin: sibling, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-a' },
    });
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': sibling,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'HEAD, GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'x-a',
      },
    });
    const read = await ask({ port, host, headers: { origin: sibling } });
    expect(read.headers).toMatchObject({
      'access-control-allow-origin': sibling,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    });
  });

  it('of somebody else may do neither, and is led in by no cookie', async () => {
    for (const origin of [foreign, 'https://evil.example.com', 'null', `http://${made.hostOf('own')}.evil.example.com`]) {
      const preflight = await ask({ port, host, method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'PUT' } });
      expect(preflight.headers['access-control-allow-origin'], origin).toBeUndefined();
      expect((await ask({ port, host, headers: { origin } })).headers['access-control-allow-origin'], origin).toBeUndefined();
    }
    const signIn = await appCookie();
    const own = made.hostOf('own');
    const asking = (headers: Record<string, string>, method = 'GET') =>
      ask({ port, host: own, method, headers: { cookie: signIn, ...headers } }).then(({ status }) => status);
    expect(await asking({})).toBe(201);
    expect(await asking({ origin: `http://${own}` }, 'POST')).toBe(201);
    expect(await asking({ origin: `http://${host}` }, 'POST')).toBe(201);
    expect(await asking({ ...BROWSER, 'sec-fetch-site': 'cross-site' })).toBe(201);
    for (const origin of [foreign, 'https://evil.example.com', 'null']) {
      expect(await asking({ origin }, 'POST'), origin).toBe(403);
      expect(await asking({ origin }), origin).toBe(403);
      await expect(openEcho({ port, host: own, headers: { cookie: signIn, origin } })).rejects.toThrow('403');
    }
    // An image or a script of a page that says no Origin.
    expect(await asking({ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' })).toBe(403);
    expect(await asking({ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', referer: `${foreign}/` })).toBe(403);
    expect(await asking({ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', referer: `http://${host}/` })).toBe(201);
    const socket = await openEcho({ port, host: own, headers: { cookie: signIn, origin: `http://${own}` } });
    socket.destroy();
  });
});

/** A session on the host of the app `own`. */
async function appCookie(): Promise<string> {
  const own = made.hostOf('own');
  const first = await ask({ port, host: own, headers: BROWSER });
  const cookie = (first.headers['set-cookie'] ?? []).map((text) => text.split(';')[0]).join('; ');
  const away = new URL(first.headers.location ?? '');
  const back = await ask({
    port,
    host: 'berth.test',
    path: `${away.pathname}${away.search}`,
    headers: { ...BROWSER, cookie: `berth_session=${key}` },
  });
  const address = new URL(back.headers.location ?? '');
  const landed = await ask({ port, host: own, path: `${address.pathname}${address.search}`, headers: { ...BROWSER, cookie } });
  return (landed.headers['set-cookie'] ?? []).map((text) => text.split(';')[0]).join('; ');
}
