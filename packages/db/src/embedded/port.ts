import { createServer } from 'node:net';

/** A TCP port on 127.0.0.1 that was free a moment ago: `wanted` if it is, else any. */
export async function freePort(wanted = 0): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (wanted !== 0 && (error.code === 'EADDRINUSE' || error.code === 'EACCES')) resolve(freePort());
      else reject(error);
    });
    server.listen({ host: '127.0.0.1', port: wanted }, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
