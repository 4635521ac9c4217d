import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A TCP load balancer in front of several servers: each connection goes to the first of them that takes it. */
export interface Balancer {
  readonly url: string;
  /** From now on in this order. */
  prefer(ports: readonly number[]): void;
  close(): Promise<void>;
}

function connect(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

function join(near: Socket, far: Socket): void {
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
    from.pipe(to);
  }
}

export async function startBalancer(port = 0): Promise<Balancer> {
  let order: readonly number[] = [];
  const open = new Set<Socket>();

  async function serve(near: Socket): Promise<void> {
    for (const target of order) {
      const far = await connect(target).catch(() => undefined);
      if (far !== undefined) return join(near, far);
    }
    near.destroy();
  }

  const server = net.createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => undefined);
    void serve(socket);
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    prefer: (ports) => {
      order = ports;
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
