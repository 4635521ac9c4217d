import { once } from 'node:events';
import { connect } from 'node:net';
import { ErrorBody } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { listen } from '../testing/live.ts';

const server = await createTestServer();
const { port } = await listen(server);
const owner = await given(server.prisma).user({ siteRoles: ['owner'] });
const headers = { 'service-session-token': await server.keyOf(owner.id) };
const NIL = '00000000-0000-0000-0000-000000000000';
const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The documented operations that a plain request cannot use. */
const sockets = Object.entries(server.document.paths).flatMap(([path, item]) => {
  const responses = item['get']?.responses ?? {};
  return '101' in responses && !('200' in responses) ? [path] : [];
});

describe('a plain request for a WebSocket', () => {
  it.each(sockets)('GET %s answers 426 with the error body and the protocol to upgrade to', async (path) => {
    const bare = path.replaceAll(/\{[^}]+\}/g, NIL);
    for (const url of [`/api/v2${bare}`, `/api/v2${bare}?reconnect=${NIL}&port=80&provisioner=process&version=1.0`]) {
      const response = await server.app.inject({ method: 'GET', url, headers });
      expect([response.statusCode, response.headers['upgrade'], response.headers['connection']], url).toEqual([
        426,
        'websocket',
        'Upgrade',
      ]);
      expect(response.headers['x-request-id']).toMatch(REQUEST_ID);
      expect(ErrorBody.parse(response.json())).toMatchObject({ message: 'This operation needs a WebSocket.' });
      server.requireDocumented({ method: 'GET', path: bare, status: 426, body: response.json() });
    }
    expect((await server.app.inject({ method: 'HEAD', url: `/api/v2${bare}`, headers })).statusCode).toBe(426);
  });

  it('of the typed API and of replicas is answered alike, and callers without a credential are still unauthenticated', async () => {
    expect(sockets.length).toBeGreaterThan(4);
    for (const url of ['/api/rpc', `/api/v2/workspaceagents/me/rpc`]) {
      const response = await server.app.inject({ method: 'GET', url, headers });
      expect([response.statusCode, response.headers['upgrade']], url).toEqual([426, 'websocket']);
    }
    for (const url of ['/debug/ws', `/workspaceagents/${NIL}/ssh`, '/organizations/default/provisionerdaemons/serve']) {
      expect((await server.app.inject({ method: 'GET', url: `/api/v2${url}` })).statusCode, url).toBe(401);
    }
  });
});

/** Sends bytes on a connection of their own and reads the answer until the server closes it. */
async function exchange(bytes: string): Promise<{ status: number; head: string; body: string }> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  // The server closes while the client may still be sending.
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body };
}

describe('what is too large', () => {
  it.each([
    ['a header', `GET /api/v2/users HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a path', `GET /api/v2/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  ])('as %s answers 431 with the error body and a request id', async (_, bytes) => {
    const { status, head, body } = await exchange(bytes);
    expect(status).toBe(431);
    expect(/^x-request-id: (.*)$/im.exec(head)?.[1]).toMatch(REQUEST_ID);
    expect(ErrorBody.parse(JSON.parse(body))).toEqual({
      message: 'The path or the headers are too long.',
      detail: '',
      validations: [],
    });
    server.requireDocumented({ method: 'GET', path: '/users', status, body: JSON.parse(body) });
  });

  it.each(['POST /users', 'PATCH /groups/x', 'PUT /appearance', 'DELETE /workspaceproxies/x'])(
    'as a body of %s answers 413 with the error body and a request id',
    async (operation) => {
      const [method = '', path = ''] = operation.split(' ');
      const length = 3 * 1024 * 1024;
      const request = `${method} /api/v2${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
      const { status, head, body } = await exchange(`${request}{`);
      expect(status).toBe(413);
      expect(/^x-request-id: (.*)$/im.exec(head)?.[1]).toMatch(REQUEST_ID);
      const refusal = ErrorBody.parse(JSON.parse(body));
      expect(refusal).toMatchObject({ message: 'The request body is too large.', detail: 'It may have at most 2097152 bytes.' });
      server.requireDocumented({ method, path, status, body: refusal });
    },
  );
});
