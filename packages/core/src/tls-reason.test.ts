import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { tlsReason } from './tls-reason.ts';

/** How a TLS handshake fails with a server that answers with these bytes. */
async function failureOf(bytes: string): Promise<Error> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const client = connect({ host: '127.0.0.1', port: typeof address === 'object' && address !== null ? address.port : 0 });
  const [error]: unknown[] = await once(client, 'error');
  client.destroy();
  server.close();
  if (error instanceof Error) return error;
  throw new Error('the handshake did not fail');
}

test('a server that does not speak TLS is named as such, not in the words of OpenSSL', async () => {
  const reason = tlsReason(await failureOf('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
  expect(reason).toBe('it does not speak TLS at this address (https:// where http:// is meant?)');
});

test('other failures of a handshake say so in short, and other errors are left alone', () => {
  const alert = Object.assign(new Error('40E7:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:../deps/x.c:1'), {
    code: 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
    reason: 'sslv3 alert handshake failure',
  });
  expect(tlsReason(alert)).toBe('the TLS handshake failed (sslv3 alert handshake failure)');
  expect(tlsReason(new Error('write EPROTO 40E7:error:0A:SSL routines:x'))).toBe('the TLS handshake failed');
  expect(tlsReason(Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' }))).toBe('its certificate has expired');
  expect(tlsReason(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))).toBeNull();
});
