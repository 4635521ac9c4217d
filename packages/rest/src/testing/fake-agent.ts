import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TUNNEL_PATH } from '@berth/api/server';
import type { PtyRequest, SshRequest } from '@berth/api/testing';
import { ResumableHost, serveTunnel } from '@berth/api/testing';
import { WebSocket } from 'ws';

export interface FakeAgent {
  /** Every terminal that was asked for. */
  readonly terminals: PtyRequest[];
  /** What was typed into any of them. */
  readonly typed: string[];
  /** Every connection to its SSH server that was asked for. */
  readonly connections: SshRequest[];
  /** Closes the tunnel, as a lost connection would. */
  disconnect(): Promise<void>;
}

export interface FakeAgentOptions {
  readonly url: string;
  readonly token: string;
  /** Keeps its connections when the same agent connects again. */
  readonly resumables?: ResumableHost;
}

/**
 * An agent at the real tunnel door whose terminals answer each input in capitals and end at `exit`, and whose SSH server sends back what it
 * gets; ports are the host's own.
 */
export async function connectFakeAgent({ url, token, resumables = newResumables() }: FakeAgentOptions): Promise<FakeAgent> {
  const terminals: PtyRequest[] = [];
  const typed: string[] = [];
  const connections: SshRequest[] = [];
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${TUNNEL_PATH}`, { headers: { 'service-session-token': token } });
  const served = await new Promise<ReturnType<typeof serveTunnel>>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('unexpected-response', (_, response) => reject(new Error(`the door answered ${response.statusCode}`)));
    socket.once('open', () =>
      resolve(
        serveTunnel(socket, {
          pty: async (request) => {
            terminals.push(request);
            return (channel) => {
              channel.write(`${request.width}x${request.height} `);
              channel.on('resize', ({ width, height }: { width: number; height: number }) => void channel.write(`${width}x${height} `));
              channel.on('data', (input: Buffer) => {
                typed.push(input.toString());
                channel.write(input.toString().toUpperCase());
                if (input.toString().includes('exit')) channel.finish({ exitCode: 0, signal: null });
              });
            };
          },
          tcp: (port) => {
            const connection = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
            return new Promise((answer, refuse) => {
              connection.once('connect', () => answer(connection));
              connection.once('error', refuse);
            });
          },
          ssh: async (request) => (carrier) => {
            connections.push(request);
            const stream = request.stream === '' ? carrier : resumables.accept(carrier, request);
            stream?.pipe(stream);
          },
          listeningPorts: async () => [{ process_name: 'node', network: 'tcp', port: 8080 }],
        }),
      ),
    );
  });
  return {
    terminals,
    typed,
    connections,
    disconnect: async () => {
      served.close();
      await served.closed;
    },
  };
}

function newResumables(): ResumableHost {
  return new ResumableHost({ graceMs: 60_000, maxStreams: 16 });
}

/** An app as a workspace would run it: answers with what it was sent, and echoes WebSocket-like upgrades. */
export async function startEchoApp(): Promise<{ port: number; server: Server }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['berth_session=stolen; Path=/', 'theirs=1'] });
      response.end(
        JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() }),
      );
    });
  });
  server.on('upgrade', (_, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, server };
}
