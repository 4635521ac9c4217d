import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const NOT_BUILT = 'The dashboard is not built. Run `npm start`, which builds it, or `pnpm --filter @berth/dashboard build`.\n';

/** Serves the built dashboard: hashed assets for a year, and its one page for every path that nothing else answers. */
export async function mountDashboard(app: FastifyInstance, distDir: string): Promise<void> {
  const indexFile = join(distDir, 'index.html');
  const index = existsSync(indexFile) ? readFileSync(indexFile, 'utf8') : null;
  if (index !== null) {
    await app.register(fastifyStatic, {
      root: join(distDir, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: '365d',
      wildcard: true,
      decorateReply: false,
      // The build writes each asset compressed as well.
      preCompressed: true,
    });
    // The pictures that templates name as /icon/<name>.svg.
    const icons = join(distDir, 'icon');
    if (existsSync(icons)) {
      await app.register(fastifyStatic, { root: icons, prefix: '/icon/', wildcard: true, maxAge: '1d', decorateReply: false });
    }
    for (const name of ['favicon.svg', 'robots.txt']) {
      const file = join(distDir, name);
      if (!existsSync(file)) continue;
      const body = readFileSync(file);
      app.get(`/${name}`, (_, reply) => reply.type(name.endsWith('.svg') ? 'image/svg+xml' : 'text/plain').send(body));
    }
  }
  app.setNotFoundHandler((request, reply) => {
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') &&
      !request.url.startsWith('/api/') &&
      !request.url.startsWith('/assets/') &&
      !request.url.startsWith('/icon/');
    if (!isPage) {
      return reply
        .code(404)
        .send({ message: 'There is nothing at this path.', detail: `${request.method} ${request.url}`, validations: [] });
    }
    if (index === null) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(index);
  });
}
