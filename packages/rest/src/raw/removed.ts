import { DomainError } from '@berth/core';
import type { FastifyInstance } from 'fastify';
import { sendFailure } from '../http/errors.ts';
import type { RawOperation } from './operations.ts';

interface Removed {
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  /** What to call instead. */
  readonly instead: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** Operations that clients of an older interface may still call. */
const REMOVED: readonly Removed[] = [
  {
    path: '/templateversions/{templateversion}/parameters',
    id: 'removed-get-parameters-by-template-version',
    tag: 'Templates',
    summary: 'Removed: Get parameters by template version',
    instead: 'GET /templateversions/{templateversion}/rich-parameters',
  },
  {
    path: '/templateversions/{templateversion}/schema',
    id: 'removed-get-schema-by-template-version',
    tag: 'Templates',
    summary: 'Removed: Get schema by template version',
    instead: 'GET /templateversions/{templateversion}/rich-parameters',
  },
  {
    path: '/workspacebuilds/{workspacebuild}/resources',
    id: 'removed-get-workspace-resources-for-workspace-build',
    tag: 'Builds',
    summary: 'Removed: Get workspace resources for workspace build',
    instead: 'the `resources` of GET /workspacebuilds/{workspacebuild}',
  },
  {
    path: '/workspaceagents/me/gitauth',
    id: 'removed-get-workspace-agent-git-auth',
    tag: 'Agents',
    summary: 'Removed: Get workspace agent Git auth',
    instead: 'GET /workspaceagents/me/external-auth',
    query: { match: 'string', id: 'string', listen: 'boolean' },
  },
  {
    path: '/workspaceagents/{workspaceagent}/startup-logs',
    id: 'removed-get-logs-by-workspace-agent',
    tag: 'Agents',
    summary: 'Removed: Get logs by workspace agent',
    instead: 'GET /workspaceagents/{workspaceagent}/logs',
    query: { before: 'integer', after: 'integer', follow: 'boolean', no_compression: 'boolean' },
  },
];

/** The removed operations as the published document shows them. */
export const removedOperations: readonly RawOperation[] = REMOVED.map(({ path, id, tag, summary, instead, query = {} }) => ({
  method: 'get',
  path,
  id,
  tag,
  summary,
  description: `Answers 404 to everyone. Use ${instead}.`,
  deprecated: true,
  parameters: [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ in: 'path', name, required: true, schema: { type: 'string' } })),
    ...Object.entries(query).map(([name, type]) => ({ in: 'query', name, schema: { type } })),
  ],
  responses: {},
  errors: ['not_found', 'rate_limited'],
  security: [],
}));

/** They tell nothing but what replaces them, so nobody is asked who they are. */
export function mountRemoved(app: FastifyInstance): void {
  for (const { path, instead } of REMOVED) {
    app.get(`/api/v2${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, (_, reply) =>
      sendFailure(reply, new DomainError('not_found', `This operation was removed. Use ${instead}.`)),
    );
  }
}
