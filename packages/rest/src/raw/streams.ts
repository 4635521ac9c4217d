import type { Permission, Services, UserCall } from '@berth/api/server';
import {
  followAgentLogs,
  followBuildLogs,
  followDryRunLogs,
  followTemplateVersionLogs,
  userCallFor,
  watchAgentMetadata,
  watchWorkspace,
  workspaceStateId,
} from '@berth/api/server';
import { invalidField, isUuid } from '@berth/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contextOf, requireSameOrigin } from '../http/caller.ts';
import { answerOperation, restOperations } from '../http/mount-procedures.ts';
import { sendEvents } from './sse.ts';
import { streamJson } from './socket.ts';

interface LogStream {
  readonly url: string;
  /** Its path parameters, each a UUID; `open` gets their values in this order. */
  readonly params: readonly string[];
  readonly permission: Permission;
  readonly open: (call: UserCall, ids: readonly string[], input: { after: number; signal: AbortSignal }) => Promise<AsyncIterable<unknown>>;
}

const LOG_STREAMS: readonly LogStream[] = [
  {
    url: '/api/v2/workspacebuilds/:workspacebuild/logs',
    params: ['workspacebuild'],
    permission: 'workspace:read',
    open: (call, [id = ''], input) => followBuildLogs(call, { id, ...input }),
  },
  {
    url: '/api/v2/templateversions/:templateversion/logs',
    params: ['templateversion'],
    permission: 'template:read',
    open: (call, [id = ''], input) => followTemplateVersionLogs(call, { id, ...input }),
  },
  {
    url: '/api/v2/templateversions/:templateversion/dry-run/:jobID/logs',
    params: ['templateversion', 'jobID'],
    permission: 'workspace:read',
    open: (call, [templateversion = '', jobID = ''], input) => followDryRunLogs(call, { templateversion, jobID, ...input }),
  },
  {
    url: '/api/v2/workspaceagents/:workspaceagent/logs',
    params: ['workspaceagent'],
    permission: 'workspace:read',
    open: (call, [id = ''], input) => followAgentLogs(call, { id, ...input }),
  },
];

function idOf(request: FastifyRequest<{ Params: Record<string, string> }>, param: string): string {
  const id = request.params[param] ?? '';
  if (!isUuid(id)) throw invalidField(param, 'must be a UUID');
  return id;
}

function afterOf(request: FastifyRequest<{ Querystring: Record<string, string> }>): number {
  const { after } = request.query;
  if (after === undefined) return 0;
  if (!/^\d{1,15}$/.test(after)) throw invalidField('after', 'must be a whole number');
  return Number(after);
}

/** What an event source that comes back saw last. */
function lastEventOf({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Paths that answer JSON to a plain GET, and follow over a WebSocket when the client asks to upgrade. */
export const socketAndJsonUrls: ReadonlySet<string> = new Set(LOG_STREAMS.map((stream) => stream.url));

/** Log followers over WebSocket, and watches over server-sent events. */
export function mountStreams(app: FastifyInstance, services: Services): void {
  const operations = restOperations();
  for (const stream of LOG_STREAMS) {
    const operation = operations.find(({ method, url }) => method === 'GET' && url === stream.url);
    if (operation === undefined) throw new Error(`no procedure answers GET ${stream.url}`);
    app.route<{ Params: Record<string, string>; Querystring: Record<string, string> }>({
      method: 'GET',
      url: stream.url,
      // What can be refused before the upgrade is, so that clients learn the status.
      preValidation: async (request) => {
        if (!request.ws) return;
        requireSameOrigin(request, services);
        for (const param of stream.params) idOf(request, param);
        afterOf(request);
        await userCallFor(contextOf(services, request, null), stream.permission);
      },
      handler: (request, reply) => answerOperation(services, operation, request, reply),
      wsHandler: (socket, request) => {
        void streamJson(socket, request, async (signal) => {
          const call = await userCallFor(contextOf(services, request, null), stream.permission);
          const ids = stream.params.map((param) => idOf(request, param));
          return stream.open(call, ids, { after: afterOf(request), signal });
        });
      },
    });
  }

  app.get<{ Params: { workspace: string } }>('/api/v2/workspaces/:workspace/watch', (request, reply) => {
    const seen = lastEventOf(request);
    return sendEvents(
      reply,
      async (signal) => {
        const workspace = idOf(request, 'workspace');
        const call = await userCallFor(contextOf(services, request, null), 'workspace:read');
        return watchWorkspace(call, { workspace, seen, signal });
      },
      { idOf: workspaceStateId, isResumed: seen !== undefined },
    );
  });

  app.get<{ Params: { workspaceagent: string } }>('/api/v2/workspaceagents/:workspaceagent/watch-metadata', (request, reply) =>
    sendEvents(reply, async (signal) => {
      const workspaceagent = idOf(request, 'workspaceagent');
      return watchAgentMetadata(await userCallFor(contextOf(services, request, null), 'workspace:read'), { workspaceagent, signal });
    }),
  );
}
