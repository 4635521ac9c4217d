import { UploadResponse } from '@berth/api/contract/files';
import { DeviceAuthorization, Introspection, OAuth2Error, OAuth2Token } from '@berth/api/contract/oauth2';
import { ERROR_TABLE, appRouter, procedureFacts } from '@berth/api/server';
import type { Meta } from '@berth/api/server';
import type { ErrorKind } from '@berth/core';
import { ErrorBody } from '@berth/core';
import { generateOpenApiDocument } from 'trpc-openapi';
import { z } from 'zod';
import { rawOperations } from '../raw/operations.ts';
import { scimSchemas } from '../raw/scim-operations.ts';

/** The parts of an OpenAPI 3.1 document that we read or write. */
interface OpenApiOperation {
  operationId?: string;
  responses: Record<string, unknown>;
  security?: Record<string, string[]>[];
  [key: string]: unknown;
}

export interface OpenApiDocument {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, unknown>; [key: string]: unknown };
  [key: string]: unknown;
}

const DESCRIPTION = `Berth manages remote development workspaces. Send an API key in the \`Service-Session-Token\` header;
make one in the dashboard under *Tokens*, or with \`POST /users/login\`. Every refusal has the body of the \`Error\` schema, and every
response carries its id in \`X-Request-Id\`.`;

const REASONS: Record<ErrorKind, string> = {
  invalid: 'The input breaks a rule; `validations` names each field.',
  unauthenticated: 'No valid credential.',
  forbidden: 'The caller may see the object, but not do this.',
  not_found: 'There is no such object, or the caller may not read it.',
  not_ready: 'The object is not ready for this yet.',
  conflict: 'Another object or a running action is in the way.',
  too_large: 'Larger than the documented bound.',
  has_dependents: 'The object still owns others.',
  rate_limited: 'Too many requests; `Retry-After` says when to come back.',
  unavailable: 'A part that is needed is not there now; try again.',
};

const ERROR_CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

/** What is not decided by an operation: every one may answer it. */
const HEADERS_TOO_LARGE = { '431': { description: 'The path or the headers are longer than 16 KiB.', content: ERROR_CONTENT } };

/** What operations that only speak WebSocket answer to a plain request. */
const UPGRADE_REQUIRED = {
  '426': {
    description: 'The request does not ask to upgrade to a WebSocket.',
    headers: { Upgrade: { description: 'The protocol to upgrade to.', schema: { type: 'string', const: 'websocket' } } },
    content: ERROR_CONTENT,
  },
};

function errorResponses(kinds: readonly ErrorKind[]): Record<string, unknown> {
  const byStatus = new Map<number, string[]>();
  for (const kind of kinds) {
    const { status } = ERROR_TABLE[kind];
    byStatus.set(status, [...(byStatus.get(status) ?? []), REASONS[kind]]);
  }
  const described = [...byStatus].toSorted(([a], [b]) => a - b);
  return Object.fromEntries(
    described.map(([status, reasons]) => [String(status), { description: reasons.join(' '), content: ERROR_CONTENT }]),
  );
}

/**
 * The refusals that an operation documents: its own, and those that follow from its facts. A credential of a narrow scope may lack
 * any permission, and an object in the path may be absent.
 */
function refusalsOf(meta: Meta): ErrorKind[] {
  const kinds = new Set<ErrorKind>(['invalid', 'rate_limited', ...(meta.rest?.errors ?? [])]);
  if (meta.permission !== 'public') kinds.add('unauthenticated');
  if (meta.permission !== 'public' && meta.permission !== 'signed-in') kinds.add('forbidden');
  if (meta.openapi?.path.includes('{') === true) kinds.add('not_found');
  if (meta.openapi !== undefined && meta.openapi.method !== 'GET') kinds.add('too_large');
  return [...kinds];
}

/** Rewrites what the generator cannot know: success statuses, refusals, who needs a credential. */
function complete(operation: OpenApiOperation, meta: Meta): void {
  const status = meta.rest?.status ?? 200;
  const success = operation.responses['200'];
  operation.responses = {
    [status]: status === 204 ? { description: 'Done.' } : success,
    ...errorResponses(refusalsOf(meta)),
    ...HEADERS_TOO_LARGE,
  };
  operation.security = meta.permission === 'public' ? [] : [{ session: [] }];
  if (meta.rest?.takesBody === true) takeBody(operation);
}

const Parameters = z.array(z.looseObject({ in: z.string(), name: z.string(), schema: z.unknown() }));

/** The fields of the query may come in the body instead. */
function takeBody(operation: OpenApiOperation): void {
  const parameters = Parameters.parse(operation['parameters']);
  const fields = parameters.filter((parameter) => parameter.in === 'query');
  operation['parameters'] = parameters.map((parameter) => (parameter.in === 'query' ? { ...parameter, required: false } : parameter));
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  operation['requestBody'] = { required: false, content: { 'application/json': { schema: { type: 'object', properties } } } };
}

/**
 * The published OpenAPI 3.1 document of `/api/v2`, made from the router's facts and the raw routes.
 * `version` is the product's; `accessUrl` the base of the only server.
 */
export function openApiDocument({ version, accessUrl }: { version: string; accessUrl: string }): OpenApiDocument {
  const generated = generateOpenApiDocument(appRouter, {
    title: 'Berth API',
    description: DESCRIPTION,
    version,
    baseUrl: `${accessUrl}/api/v2`,
    securitySchemes: {
      session: { type: 'apiKey', in: 'header', name: 'Service-Session-Token', description: 'An API key: `<id>-<secret>`.' },
      provisioner: { type: 'apiKey', in: 'header', name: 'Service-Provisioner-Key', description: 'A provisioner key.' },
      scim: { type: 'http', scheme: 'bearer', description: 'The token of the setting BERTH_SCIM_TOKEN.' },
    },
  });
  const document: OpenApiDocument = JSON.parse(JSON.stringify(generated));
  const metas = new Map<string, Meta>();
  for (const { meta } of procedureFacts()) {
    if (meta.openapi !== undefined) metas.set(meta.openapi.operationId, meta);
  }
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) {
      const meta = metas.get(operation.operationId ?? '');
      if (meta !== undefined) complete(operation, meta);
    }
  }
  for (const raw of rawOperations) {
    const item = (document.paths[raw.path] ??= {});
    item[raw.method] = {
      operationId: raw.id,
      summary: raw.summary,
      ...(raw.description === undefined ? {} : { description: raw.description }),
      tags: [raw.tag],
      ...(raw.deprecated === undefined ? {} : { deprecated: raw.deprecated }),
      parameters: raw.parameters,
      ...(raw.requestBody === undefined ? {} : { requestBody: raw.requestBody }),
      responses: {
        ...raw.responses,
        ...errorResponses(raw.errors),
        ...('101' in raw.responses && !('200' in raw.responses) ? UPGRADE_REQUIRED : {}),
        ...HEADERS_TOO_LARGE,
      },
      security: raw.security === undefined ? [{ session: [] }] : [...raw.security],
    };
  }
  for (const key of Object.keys(document.components.schemas)) {
    // The library's own error shapes; ours is `Error`.
    if (key.startsWith('error.')) delete document.components.schemas[key];
  }
  document.components['responses'] = undefined;
  // What only refusals and raw routes use, no procedure's output names.
  for (const schema of [ErrorBody, UploadResponse, OAuth2Token, OAuth2Error, DeviceAuthorization, Introspection, ...scimSchemas]) {
    Object.assign(document.components.schemas, componentsOf(schema));
  }
  return document;
}

/** A schema with an id, and those that it refers to, by their ids. Zod puts them under `$defs`; here they are components. */
function componentsOf(schema: z.ZodType): Record<string, unknown> {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema).$defs ?? {}), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value,
  );
}
