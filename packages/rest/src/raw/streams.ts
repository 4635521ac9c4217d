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
import { z } from 'zod';
import { contextOf, requireSameOrigin } from '../http/caller.ts';
import { answerOperation, restOperations } from '../http/mount-procedures.ts';
import { sendEvents } from './sse.ts';
import { streamJson } from './socket.ts';

interface LogStream {
  readonly url: string;
  /** Its path parameters, each a UUID; `open` gets their values in this order. */
  readonly params: readonly string[];
  readonly permission: Permission;
  /** Whether its values are single lines, each with an id to resume after; then a plain GET may follow it, too. */
  readonly hasEvents: boolean;
  readonly open: (call: UserCall, ids: readonly string[], input: { after: number; signal: AbortSignal }) => Promise<AsyncIterable<unknown>>;
}

const LOG_STREAMS: readonly LogStream[] = [
  {
    url: '/api/v2/workspacebuilds/:workspacebuild/logs',
    params: ['workspacebuild'],
    permission: 'workspace:read',
    hasEvents: true,
    open: (call, [id = ''], input) => followBuildLogs(call, { id, ...input }),
  },
  {
    url: '/api/v2/templateversions/:templateversion/logs',
    params: ['templateversion'],
    permission: 'template:read',
    hasEvents: true,
    open: (call, [id = ''], input) => followTemplateVersionLogs(call, { id, ...input }),
  },
  {
    url: '/api/v2/templateversions/:templateversion/dry-run/:jobID/logs',
    params: ['templateversion', 'jobID'],
    permission: 'workspace:read',
    hasEvents: true,
    open: (call, [templateversion = '', jobID = ''], input) => followDryRunLogs(call, { templateversion, jobID, ...input }),
  },
  {
    url: '/api/v2/workspaceagents/:workspaceagent/logs',
    params: ['workspaceagent'],
    permission: 'workspace:read',
    hasEvents: false,
    open: (call, [id = ''], input) => followAgentLogs(call, { id, ...input }),
  },
];

function idOf(request: FastifyRequest<{ Params: Record<string, string> }>, param: string): string {
  const id = request.params[param] ?? '';
  if (!isUuid(id)) throw invalidField(param, 'must be a UUID');
  return id;
}

type LogRequest = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, string> }>;

function afterOf(request: FastifyRequest<{ Querystring: Record<string, string> }>): number {
  // Who resumes says what it saw last; that stands over where it once began.
  const after = lastEventOf(request) ?? request.query.after;
  if (after === undefined) return 0;
  if (!/^\d{1,15}$/.test(after)) throw invalidField('after', 'must be a whole number');
  return Number(after);
}

/** What an event source that comes back saw last. */
function lastEventOf({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Whether a client asks for the lines as server-sent events: with `follow`, on a plain GET. */
function wantsEvents({ headers, query }: LogRequest): boolean {
  return 'follow' in query && (headers.accept ?? '').includes('text/event-stream');
}

const Line = z.object({ id: z.int() });

/** What a client sends back to go on after this line. */
function lineId(line: unknown): string {
  return String(Line.parse(line).id);
}

/** The lines of a log that the caller may read, from where the request says. Refusals come before the generator. */
async function followed(
  services: Services,
  stream: LogStream,
  { request, signal }: { request: LogRequest; signal: AbortSignal },
): Promise<AsyncGenerator<unknown, void, void>> {
  const call = await userCallFor(contextOf(services, request, null), stream.permission);
  const ids = stream.params.map((param) => idOf(request, param));
  const lines = await stream.open(call, ids, { after: afterOf(request), signal });
  return (async function* () {
    yield* lines;
  })();
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
      handler: (request, reply) => {
        if (!stream.hasEvents || !wantsEvents(request)) return answerOperation(services, operation, request, reply);
        return sendEvents(reply, (signal) => followed(services, stream, { request, signal }), { idOf: lineId, isResumed: true });
      },
      wsHandler: (socket, request) => {
        void streamJson(socket, request, (signal) => followed(services, stream, { request, signal }));
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
