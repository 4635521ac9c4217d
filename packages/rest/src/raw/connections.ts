import type { Duplex } from 'node:stream';
import type { EnterWorkspace, Services, UserCall } from '@berth/api/server';
import { ByteSocket, invalidInput, joinStreams, openSsh, openTcp, requireEntry, userCallFor } from '@berth/api/server';
import { invalidField, isUuid } from '@berth/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { contextOf, requireSameOrigin } from '../http/caller.ts';
import { mountSocket } from '../http/sockets.ts';
import { closeWithError, keepAlive } from './socket.ts';

const SshQuery = z.object({ stream: z.string().refine(isUuid, 'must be a UUID').default('') });

const TcpQuery = z.object({
  port: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1).max(65_535)),
});

/** For the bytes of a client that has left. */
const LAST_WORDS_MS = 30_000;

type AgentRequest = FastifyRequest<{ Params: { workspaceagent: string } }>;

/** A way into the workspace of an agent: its last path segment, what its query says, and what it opens. */
interface Way<Q extends z.ZodObject> {
  readonly name: string;
  readonly query: Q;
  readonly open: (call: UserCall, options: EnterWorkspace & z.output<Q>) => Promise<Duplex>;
}

function mountWay<Q extends z.ZodObject>(app: FastifyInstance, services: Services, { name, query, open }: Way<Q>): void {
  const queryOf = (request: FastifyRequest): z.output<Q> => {
    const parsed = query.safeParse(request.query);
    if (parsed.success) return parsed.data;
    throw invalidInput(parsed.error);
  };

  async function serve(request: AgentRequest, socket: WebSocket): Promise<void> {
    // Keeps what the client sends before the workspace is reached.
    const client = new ByteSocket(socket);
    const abort = new AbortController();
    const leave = (): void => abort.abort();
    socket.once('close', (code) => {
      // What a client said before it left in good order still has to get through.
      if (code === 1000) setTimeout(leave, LAST_WORDS_MS).unref();
      else leave();
    });
    keepAlive(socket);
    const call = await userCallFor(contextOf(services, request, null), 'workspace:ssh');
    const workspace = await open(call, {
      ...queryOf(request),
      agentId: request.params.workspaceagent,
      signal: abort.signal,
      onLost: () => socket.close(1008, 'You may not enter this workspace any more.'),
    });
    joinStreams(client, workspace);
  }

  mountSocket<{ workspaceagent: string }>(app, services, {
    url: `/api/v2/workspaceagents/:workspaceagent/${name}`,
    admit: async (request) => {
      requireSameOrigin(request, services);
      if (!isUuid(request.params.workspaceagent)) throw invalidField('workspaceagent', 'must be a UUID');
      queryOf(request);
      const call = await userCallFor(contextOf(services, request, null), 'workspace:ssh');
      await requireEntry(call, request.params.workspaceagent);
    },
    serve: (socket, request) => {
      serve(request, socket).catch((error: unknown) => closeWithError(socket, error, request));
    },
  });
}

/**
 * Byte connections into a workspace over WebSockets: to its SSH server, and to any of its ports. How the bytes end is told by `ByteSocket`;
 * 1008 says that the caller may not be here, or not any more, and that dialling again is useless.
 */
export function mountConnections(app: FastifyInstance, services: Services): void {
  mountWay(app, services, { name: 'ssh', query: SshQuery, open: openSsh });
  mountWay(app, services, { name: 'tcp', query: TcpQuery, open: openTcp });
}
