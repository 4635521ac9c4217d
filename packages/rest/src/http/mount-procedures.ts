import type { Services } from '@berth/api/server';
import { appRouter, procedureFacts, reportOf } from '@berth/api/server';
import { callTRPCProcedure } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { contextOf } from './caller.ts';
import { sendReport } from './errors.ts';

export interface RestOperation {
  /** The procedure's path in the router, such as `workspaces.get`. */
  readonly path: string;
  readonly type: 'query' | 'mutation';
  readonly method: HTTPMethods;
  /** In Fastify's form, under `/api/v2`. */
  readonly url: string;
  readonly status: number;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Every procedure with the facts of a REST route, in the router's order. */
export function restOperations(): RestOperation[] {
  return procedureFacts().flatMap(({ path, type, meta: { openapi, rest } }) => {
    if (openapi === undefined || rest === undefined || type === 'subscription') return [];
    const url = `/api/v2${openapi.path.replaceAll(/\{([^}]+)\}/g, ':$1')}`;
    return [{ path, type, method: openapi.method, url, status: rest.status }];
  });
}

/** Query text for methods without a body, the body for the others; path parameters win over both. */
function inputOf(request: FastifyRequest): Record<string, unknown> {
  const source = request.method === 'GET' || request.method === 'HEAD' || request.method === 'DELETE' ? request.query : request.body;
  const body = request.method === 'DELETE' && isRecord(request.body) ? request.body : {};
  return { ...body, ...(isRecord(source) ? source : {}), ...(isRecord(request.params) ? request.params : {}) };
}

/** Calls the procedure of an operation and answers as REST does. */
export async function answerOperation(
  services: Services,
  operation: RestOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const abort = new AbortController();
  // Of the response: a request is closed as soon as its body was read.
  reply.raw.once('close', () => abort.abort());
  try {
    const result: unknown = await callTRPCProcedure({
      router: appRouter,
      path: operation.path,
      type: operation.type,
      getRawInput: () => Promise.resolve(inputOf(request)),
      ctx: contextOf(services, request, reply),
      signal: abort.signal,
      batchIndex: 0,
    });
    if (operation.status === 204) return await reply.code(204).send();
    return await reply.code(operation.status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(result));
  } catch (error) {
    return sendReport(reply, reportOf(error));
  }
}

/** Mounts each documented procedure as a Fastify route of its own, and 405 with `Allow` for the other methods of its path. */
export function mountProcedures(app: FastifyInstance, services: Services, isRaw: (method: string, url: string) => boolean): void {
  const methods = new Map<string, Set<string>>();
  for (const operation of restOperations()) {
    methods.set(operation.url, (methods.get(operation.url) ?? new Set<string>()).add(operation.method));
    if (isRaw(operation.method, operation.url)) continue;
    app.route({
      method: operation.method,
      url: operation.url,
      handler: (request, reply) => answerOperation(services, operation, request, reply),
    });
  }
  for (const [url, allowed] of methods) {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allowed.has(method) && !isRaw(method, url));
    if (others.length === 0) continue;
    app.route({
      method: others,
      url,
      handler: (_, reply) =>
        reply
          .code(405)
          .header('allow', [...allowed].join(', '))
          .send({ message: `This path takes ${[...allowed].join(', ')}.`, detail: '', validations: [] }),
    });
  }
}
