import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Services } from '@berth/api/server';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from './document.ts';
import { readOnce } from './read-once.ts';

const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const;

/** The page around the explorer; its script is a file of its own, since the content policy takes no inline ones. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Berth API</title>
    <link rel="stylesheet" href="/api/v2/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="explorer"></div>
    <script src="/api/v2/docs/swagger-ui-bundle.js"></script>
    <script src="/api/v2/docs/start.js"></script>
  </body>
</html>
`;

/** A signed-in browser calls with its cookie, so each try carries the CSRF token that belongs to it. */
const START = `SwaggerUIBundle({
  url: '/api/v2/openapi.json',
  dom_id: '#explorer',
  deepLinking: true,
  tryItOutEnabled: true,
  requestInterceptor(request) {
    const token = document.cookie.split('; ').find((part) => /^(__Host-)?berth_csrf=/.test(part))?.split('=')[1];
    if (token) request.headers['X-CSRF-TOKEN'] = decodeURIComponent(token);
    return request;
  },
});
`;

/** Serves the document at `/api/v2/openapi.json` and a page to try calls at `/api/v2/docs`. */
export function mountOpenApi(app: FastifyInstance, services: Services): void {
  const { version, accessUrl } = services.settings;
  let document: string | undefined;
  app.get('/api/v2/openapi.json', (_, reply) => {
    document ??= JSON.stringify(openApiDocument({ version, accessUrl }));
    return reply.header('content-type', 'application/json; charset=utf-8').send(document);
  });

  app.get('/api/v2/docs', (_, reply) => reply.type('text/html; charset=utf-8').send(PAGE));
  app.get('/api/v2/docs/start.js', (_, reply) => reply.type(TYPES.js).send(START));
  const folder = join(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'), '..');
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js'] as const) {
    const file = readOnce(join(folder, name));
    app.get(`/api/v2/docs/${name}`, async (_, reply) =>
      reply
        .type(name.endsWith('.css') ? TYPES.css : TYPES.js)
        .header('cache-control', 'public, max-age=86400')
        .send(await file()),
    );
  }
}
