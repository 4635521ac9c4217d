export type { HttpServerOptions } from './server.ts';
export { createHttpServer } from './server.ts';
export type { OpenApiDocument } from './openapi/document.ts';
export { openApiDocument } from './openapi/document.ts';
