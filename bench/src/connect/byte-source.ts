import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Sends many bytes to whoever connects, on one port as plain TCP and on another as the body of an HTTP answer. A process of its own, as a
 * program in a workspace is.
 */
const [wanted = '0'] = process.argv.slice(2);
const CHUNK = Buffer.alloc(256 * 1024, 'berth');

function* bytes(count: number): Generator<Buffer> {
  for (let left = count; left > 0; left -= CHUNK.length) yield left >= CHUNK.length ? CHUNK : CHUNK.subarray(0, left);
}

const source = (): Readable => Readable.from(bytes(Number(wanted)), { objectMode: false, highWaterMark: CHUNK.length });

const tcp = createTcpServer({ allowHalfOpen: true }, (socket) => void pipeline(source(), socket).catch(() => undefined));
const http = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': wanted });
  pipeline(source(), response).catch(() => undefined);
});
tcp.listen(0, '127.0.0.1', () =>
  http.listen(0, '127.0.0.1', () =>
    process.send?.({ tcpPort: (tcp.address() as AddressInfo).port, httpPort: (http.address() as AddressInfo).port }),
  ),
);
