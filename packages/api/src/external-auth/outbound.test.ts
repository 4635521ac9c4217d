import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { OutboundError, askService } from './outbound.ts';

async function serve(listener: RequestListener): Promise<{ url: string; count: () => number }> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, count: () => count };
}

const SECRET = { headers: { authorization: 'Bearer hush' }, body: new URLSearchParams({ client_secret: 'hush' }), method: 'POST' } as const;

/** The failure of a request that must fail, as text with all that hangs on it. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return error instanceof Error ? `${error.message} ${JSON.stringify(error.cause)}` : '';
}

describe('security: outbound requests', () => {
  it.each([301, 302, 303, 307, 308])('follow no redirect with status %d, so that no secret reaches another address', async (status) => {
    const other = await serve((_, response) => response.end('{}'));
    const service = await serve((_, response) => response.writeHead(status, { location: `${other.url}/take` }).end());
    const failure = await failureOf(askService(`${service.url}/token`, SECRET));
    expect(failure).toMatch(/redirect/);
    expect(failure).not.toMatch(/hush|take/);
    expect(other.count()).toBe(0);
  });

  it('end at their time, also when the answer trickles', async () => {
    const service = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      const timer = setInterval(() => response.write(' '), 10);
      response.once('close', () => clearInterval(timer));
    });
    expect(await failureOf(askService(service.url, { ...SECRET, timeoutMs: 150 }))).toMatch(/did not answer within 0\.15 seconds/);
  });

  it('read no more than their bound, whatever the length says', async () => {
    const service = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(64 * 1024, 0x20);
      const pump = (): void => {
        if (!response.destroyed) response.write(chunk, pump);
      };
      pump();
    });
    expect(await failureOf(askService(service.url))).toMatch(/more than 262144 bytes/);
  });

  it('tell of a service that is away by a code, never by what was sent', async () => {
    const failure = await failureOf(askService('http://127.0.0.1:1/token?client_secret=hush', SECRET));
    expect(failure).toMatch(/cannot be reached/);
    expect(failure).not.toMatch(/hush/);
  });

  it('end with who waits for them', async () => {
    const service = await serve(() => undefined);
    const leaving = AbortSignal.timeout(50);
    expect(await failureOf(askService(service.url, { signal: leaving }))).toMatch(/cannot be reached/);
  });
});
