import type { Services } from '@berth/api/server';
import { SCIM_ERROR, appRouter, isScimEnabled, reportOf, scimPrincipal, scimTypeOf } from '@berth/api/server';
import { DomainError, notFound, validationText } from '@berth/core';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { contextOf } from '../http/caller.ts';
import { frameworkRefusal } from '../http/errors.ts';

const MEDIA_TYPE = 'application/scim+json; charset=utf-8';
const PREFIXES = ['/scim/v2', '/api/v2/scim/v2'] as const;

type Caller = ReturnType<typeof appRouter.createCaller>['scim'];

interface Asked {
  readonly scim: Caller;
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  readonly resource: Record<string, unknown>;
}

interface ScimRoute {
  readonly method: HTTPMethods;
  readonly path: string;
  readonly status?: 200 | 201 | 204;
  readonly answer: (asked: Asked) => Promise<object | void>;
}

/** Who leaves the members out of the answer need not have them read. */
function withoutMembers({ attributes, excludedAttributes = '' }: Asked['query']): string {
  const leavesOut = attributes !== undefined && !namesIn(attributes).has('members');
  return leavesOut ? 'members' : excludedAttributes;
}

const ROUTES: readonly ScimRoute[] = [
  { method: 'GET', path: '/ServiceProviderConfig', answer: ({ scim }) => scim.serviceProviderConfig({}) },
  { method: 'GET', path: '/Schemas', answer: ({ scim }) => scim.schemas({}) },
  { method: 'GET', path: '/Schemas/:id', answer: ({ scim, id }) => scim.schema({ id }) },
  { method: 'GET', path: '/ResourceTypes', answer: ({ scim }) => scim.resourceTypes({}) },
  { method: 'GET', path: '/ResourceTypes/:id', answer: ({ scim, id }) => scim.resourceType({ id }) },
  { method: 'GET', path: '/Users', answer: ({ scim, query }) => scim.listUsers(query) },
  { method: 'POST', path: '/Users', answer: ({ scim, resource }) => scim.createUser({ resource }) },
  { method: 'GET', path: '/Users/:id', answer: ({ scim, id }) => scim.getUser({ id }) },
  { method: 'PUT', path: '/Users/:id', answer: ({ scim, id, resource }) => scim.replaceUser({ id, resource }) },
  { method: 'PATCH', path: '/Users/:id', answer: ({ scim, id, resource }) => scim.patchUser({ id, resource }) },
  { method: 'DELETE', path: '/Users/:id', status: 204, answer: ({ scim, id }) => scim.deleteUser({ id }) },
  {
    method: 'GET',
    path: '/Groups',
    answer: ({ scim, query }) => scim.listGroups({ ...query, excludedAttributes: withoutMembers(query) }),
  },
  { method: 'POST', path: '/Groups', status: 201, answer: ({ scim, resource }) => scim.createGroup({ resource }) },
  {
    method: 'GET',
    path: '/Groups/:id',
    answer: ({ scim, id, query }) => scim.getGroup({ id, excludedAttributes: withoutMembers(query) }),
  },
  { method: 'PUT', path: '/Groups/:id', answer: ({ scim, id, resource }) => scim.replaceGroup({ id, resource }) },
  { method: 'PATCH', path: '/Groups/:id', answer: ({ scim, id, resource }) => scim.patchGroup({ id, resource }) },
  { method: 'DELETE', path: '/Groups/:id', status: 204, answer: ({ scim, id }) => scim.deleteGroup({ id }) },
];

/**
 * SCIM 2.0 at its addresses, at the root and under `/api/v2`: its media type, its errors and its token, which is asked for here and
 * nowhere else. Without a token in the settings every address is not found.
 */
export function mountScim(app: FastifyInstance, services: Services): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error: FastifyError, request, reply) =>
      sendScimFailure(request, reply, frameworkRefusal(error, request) ?? error),
    );
    for (const prefix of PREFIXES) {
      for (const route of ROUTES) {
        scope.route({
          method: route.method,
          url: prefix + route.path,
          handler: (request, reply) => answerScim(services, route, request, reply),
        });
      }
      for (const url of [prefix, `${prefix}/*`]) scope.all(url, (request, reply) => sendScimFailure(request, reply, notFound()));
    }
  });
}

async function answerScim(services: Services, route: ScimRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  try {
    if (!isScimEnabled(services)) throw new DomainError('not_found', 'SCIM is not switched on in this deployment.');
    const context = {
      ...contextOf(services, request, reply),
      authenticate: () => Promise.resolve(scimPrincipal(services, request.headers.authorization)),
    };
    const query = textsOf(request.query);
    const result = await route.answer({
      scim: appRouter.createCaller(context).scim,
      id: textsOf(request.params)['id'] ?? '',
      query,
      resource: resourceOf(request),
    });
    if (route.status === 204 || typeof result !== 'object') return await reply.code(204).send();
    const location = locationOf(result);
    if (route.method === 'POST' && location !== null) void reply.header('location', location);
    return await send(reply, route.status ?? 200, projected(result, query));
  } catch (error) {
    return sendScimFailure(request, reply, error);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body of a request that has one; the parser admits only JSON objects. */
function resourceOf({ method, body }: FastifyRequest): Record<string, unknown> {
  const isUnread = method === 'GET' || method === 'DELETE' || method === 'HEAD';
  return isUnread || !isRecord(body) ? {} : body;
}

/** The texts of a query or of path parameters; of a name that comes twice, the last. */
function textsOf(values: unknown): Record<string, string> {
  if (!isRecord(values)) return {};
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const last: unknown = Array.isArray(value) ? value.at(-1) : value;
      return typeof last === 'string' ? [[name, last]] : [];
    }),
  );
}

const ALWAYS = ['schemas', 'id'];

function namesIn(list: string): Set<string> {
  return new Set(
    list
      .toLowerCase()
      .split(/[\s,]+/)
      .map((name) => name.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/, '').split('.')[0] ?? ''),
  );
}

/** The resource, or each of a page, with the attributes that were asked for. */
function projected(result: object, { attributes, excludedAttributes }: Asked['query']): object {
  if (attributes === undefined && excludedAttributes === undefined) return result;
  if ('Resources' in result && Array.isArray(result.Resources)) {
    return {
      ...result,
      Resources: result.Resources.map((item: object) =>
        projected(item, {
          ...(attributes === undefined ? {} : { attributes }),
          ...(excludedAttributes === undefined ? {} : { excludedAttributes }),
        }),
      ),
    };
  }
  const wanted = attributes === undefined ? null : namesIn(attributes);
  const unwanted = namesIn(excludedAttributes ?? '');
  const isShown = (name: string): boolean => wanted?.has(name.toLowerCase()) ?? !unwanted.has(name.toLowerCase());
  return Object.fromEntries(Object.entries(result).filter(([name]) => ALWAYS.includes(name) || isShown(name)));
}

function locationOf(result: object): string | null {
  const meta: unknown = Reflect.get(result, 'meta');
  const location = isRecord(meta) ? meta['location'] : null;
  return typeof location === 'string' ? location : null;
}

function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).header('content-type', MEDIA_TYPE).send(JSON.stringify(body));
}

/** A refusal as RFC 7644, section 3.12, writes it. */
function sendScimFailure(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const report = reportOf(error);
  if (report.kind === 'internal') request.log.error({ err: error, request_id: request.id }, 'a SCIM request failed');
  if (report.kind === 'unauthenticated') void reply.header('www-authenticate', 'Bearer realm="scim"');
  if (report.kind === 'rate_limited') void reply.header('retry-after', '60');
  const scimType = scimTypeOf(error) ?? (report.kind === 'invalid' ? 'invalidSyntax' : report.validations.length > 0 ? 'uniqueness' : null);
  const rules = report.validations.map(validationText);
  return send(reply, report.status, {
    schemas: [SCIM_ERROR],
    status: String(report.status),
    ...(scimType === null ? {} : { scimType }),
    detail: [report.message, report.detail, ...rules].filter((part) => part !== '').join(' '),
  });
}
