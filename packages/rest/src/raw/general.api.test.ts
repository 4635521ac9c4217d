import { REPORT_LIMIT_PER_MINUTE, createRateLimit } from '@berth/api/server';
import { measureLatencies } from '@berth/api/testing';
import { given } from '@berth/testing';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { recordingLog } from '../security/recording-log.ts';
import { createTestServer } from '../testing/index.ts';
import { listen, liveWorkspace, textOf } from '../testing/live.ts';

const recording = recordingLog();
const server = await createTestServer({ services: { log: recording.log, reportLimit: createRateLimit(REPORT_LIMIT_PER_MINUTE) } });
const { url } = await listen(server);
const make = given(server.prisma);
const owner = await make.user({ siteRoles: ['owner'] });
const key = await server.keyOf(owner.id);

describe('reports of browsers', () => {
  const report = (body: unknown, headers: Record<string, string> = {}) =>
    server.app.inject({
      method: 'POST',
      url: '/api/v2/csp/reports',
      headers: { 'content-type': 'application/csp-report', ...headers },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    });

  test('are where pages send them', async () => {
    const { headers } = await server.app.inject({ url: '/healthz' });
    expect(headers['content-security-policy']).toContain('report-uri /api/v2/csp/reports');
  });

  test('are taken with a cookie and without a CSRF token, and logged without what may be secret', async () => {
    const answer = await report(
      {
        'csp-report': {
          'document-uri': 'http://berth.test/login?state=a-secret#more',
          'blocked-uri': `https://evil.example.com/${'x'.repeat(1000)}`,
          'effective-directive': 'script-src',
          'line-number': 7,
          'script-sample': 'const token = "a-secret"',
          other: { nested: 'a-secret' },
        },
      },
      { cookie: `berth_session=${key}`, origin: 'null' },
    );
    expect([answer.statusCode, answer.body]).toEqual([200, '{}']);
    const line = recording.lines.find((text) => text.includes('a browser kept a page'));
    expect(line).toContain('http://berth.test/login');
    expect(line).toContain('script-src');
    expect(line).not.toContain('a-secret');
    expect(line?.length).toBeLessThan(1000);
  });

  test.each([
    ['nonsense'],
    ['[]'],
    ['"text"'],
    [{ 'csp-report': 'text' }],
    [{ 'csp-report': Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`f${n}`, n])) }],
  ])('that are none are refused or say nothing: %j', async (body) => {
    expect([200, 400]).toContain((await report(body)).statusCode);
  });

  test('from one address end at sixty a minute', async () => {
    const answers = await Promise.all(Array.from({ length: 70 }, () => report({ 'csp-report': {} })));
    expect(answers.map(({ statusCode }) => statusCode)).toContain(429);
  });
});

describe('the echo', () => {
  test('sends back what it gets, text and bytes, and closes on more than 64 KiB', async () => {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/v2/debug/ws`, { headers: { 'service-session-token': key } });
    const next = () =>
      new Promise<readonly [string, boolean]>(
        (resolve) => void socket.once('message', (data, isBinary) => resolve([textOf(data), isBinary])),
      );
    await new Promise((resolve) => void socket.once('open', resolve));
    for (const isBinary of [false, true]) {
      const echoed = next();
      socket.send('hello', { binary: isBinary });
      expect(await echoed).toEqual(['hello', isBinary]);
    }
    const closed = new Promise((resolve) => void socket.once('close', resolve));
    socket.send('x'.repeat(65_537));
    expect(await closed).toBe(1009);
  });
});

describe('the health report', () => {
  test('finds nothing wrong with the way to a server that is there', { timeout: 60_000 }, async () => {
    // The address is known once the server listens.
    Reflect.set(server.services.settings, 'accessUrl', url);
    const { status, body } = await server.rest({ method: 'GET', path: '/debug/health?force=true', key });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      access_url: { healthy: true, status_code: 200, healthz_response: 'OK', error: '' },
      websocket: { healthy: true, code: 101, error: '' },
      derp: { healthy: true },
    });
  });
});

test('the way to an agent that is really there has a latency', { timeout: 60_000 }, async () => {
  const live = await liveWorkspace(server, url);
  const shown = async () => {
    const { body } = await server.rest({ method: 'GET', path: `/workspaceagents/${live.agent.id}`, key: live.key });
    return Reflect.get(Object(body), 'latency');
  };
  await expect.poll(() => measureLatencies(server.services, new AbortController().signal), { timeout: 30_000 }).toBe(1);
  expect(await shown()).toEqual({ Berth: { preferred: true, latency_ms: expect.any(Number) } });
});

describe('what anybody may know', () => {
  test('is that this is the API, and which version it has', async () => {
    expect(await server.rest({ method: 'GET', path: '/' })).toMatchObject({ status: 200, body: { detail: '', validations: [] } });
    const { body } = await server.rest({ method: 'GET', path: '/updatecheck' });
    expect(body).toEqual({ current: true, version: server.services.settings.version, url: '' });
  });

  test('of those who are signed in: regions, the names of SSH hosts, and that there are no experiments', async () => {
    const get = async (path: string) => (await server.rest({ method: 'GET', path, key })).body;
    expect(await get('/experiments')).toEqual([]);
    expect(await get('/experiments/available')).toEqual([]);
    expect(await get('/deployment/ssh')).toEqual({ hostname_prefix: 'berth.', ssh_config_options: {} });
    expect(await get('/regions')).toMatchObject({
      regions: [{ id: server.services.settings.deploymentId, name: 'primary', healthy: true, wildcard_hostname: '*.apps.berth.test' }],
    });
  });
});
