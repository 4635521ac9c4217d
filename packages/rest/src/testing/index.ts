import type { Services } from '@berth/api/server';
import type { TestApi } from '@berth/api/testing';
import { createTestApi } from '@berth/api/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll } from 'vitest';
import type { OpenApiDocument } from '../openapi/document.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { HttpServerOptions } from '../server.ts';
import { createHttpServer } from '../server.ts';

export interface RestCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under `/api/v2`, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly key?: string | undefined;
  readonly headers?: Record<string, string>;
}

export interface TestServer extends TestApi {
  readonly app: FastifyInstance;
  readonly document: OpenApiDocument;
  /**
   * Calls REST. Whatever comes back, success or refusal, must be documented for the operation and match the published schema
   * exactly; otherwise this throws.
   */
  rest(call: RestCall): Promise<{ status: number; body: unknown; headers: LightMyRequestResponse['headers'] }>;
  /** The same check for an answer that was got in another way. */
  requireDocumented(answer: Answer): void;
}

export interface TestServerOptions {
  readonly settings?: Parameters<typeof createTestApi>[0];
  /** Parts that stand in for the usual ones, such as a log that is read. */
  readonly services?: Partial<Services>;
  readonly http?: Omit<HttpServerOptions, 'services'>;
}

/** The whole HTTP server of one test file, on a database of its own, called in-process. */
export async function createTestServer({ settings, services, http }: TestServerOptions = {}): Promise<TestServer> {
  const made = await createTestApi(settings);
  const api = { ...made, services: { ...made.services, ...services } };
  const app = await createHttpServer({ ...http, services: api.services });
  await app.ready();
  afterAll(() => app.close());
  const document = openApiDocument({ version: 'test', accessUrl: 'http://berth.test' });
  const validate = createValidator(document);
  return {
    ...api,
    app,
    document,
    requireDocumented: validate,
    async rest({ method, path, body, key, headers = {} }) {
      const options: InjectOptions = {
        method,
        url: `/api/v2${path}`,
        headers: { ...(key === undefined ? {} : { 'service-session-token': key }), ...headers },
      };
      if (body !== undefined) options.payload = typeof body === 'string' ? body : JSON.stringify(body);
      const response = await app.inject(options);
      const parsed: unknown = response.body === '' ? undefined : JSON.parse(response.body);
      validate({ method, path, status: response.statusCode, body: parsed });
      return { status: response.statusCode, body: parsed, headers: response.headers };
    },
  };
}

export interface Answer {
  readonly method: string;
  /** Under `/api/v2`, with its query. */
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

/** Checks an answer against the document: the status is listed, the body matches, and no field is there that the schema does not name. */
function createValidator(document: OpenApiDocument): (answer: Answer) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', ...closed(document) });
  const patterns = Object.keys(document.paths).map((path) => ({ path, regex: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`) }));
  return ({ method, path, status, body }) => {
    const bare = path.split('?')[0] ?? '';
    const matches = patterns.filter(({ regex }) => regex.test(bare));
    // A literal segment such as /users/first beats a parameter.
    const [match] = matches.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
    const operation = match === undefined ? undefined : document.paths[match.path]?.[method.toLowerCase()];
    if (match === undefined || operation === undefined) return;
    if (operation.responses[String(status)] === undefined) {
      throw new Error(`${method} ${match.path} answered ${status}, which is not documented: ${JSON.stringify(body)}`);
    }
    if (body === undefined) return;
    const pointer = [match.path, method.toLowerCase(), 'responses', String(status), 'content', 'application/json', 'schema']
      .map(escapePointer)
      .join('/');
    const check = ajv.getSchema(`document#/paths/${pointer}`);
    if (check === undefined) throw new Error(`${method} ${match.path} documents no body for ${status}`);
    if (check(body) !== true) {
      throw new Error(
        `${method} ${match.path} ${status} does not match its schema: ${ajv.errorsText(check.errors)}\n${JSON.stringify(body).slice(0, 2000)}`,
      );
    }
  };
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** The document with every object schema closed, so that a field beyond the schema fails. */
function closed(value: unknown): object {
  return JSON.parse(
    JSON.stringify(value, (_, node: unknown) => {
      if (typeof node !== 'object' || node === null || Array.isArray(node)) return node;
      const isOpenObject = 'properties' in node && 'type' in node && node.type === 'object' && !('additionalProperties' in node);
      return isOpenObject ? { ...node, additionalProperties: false } : node;
    }),
  );
}
