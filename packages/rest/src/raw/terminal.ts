import type { PtyExit, Services } from '@berth/api/server';
import { invalidInput, openTerminal, requireTerminal, userCallFor } from '@berth/api/server';
import { invalid, invalidField, isUuid, queryBool } from '@berth/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import { contextOf, requireSameOrigin } from '../http/caller.ts';
import { mountSocket } from '../http/sockets.ts';
import { closeWithError, keepAlive, sendFrame } from './socket.ts';

const size = z
  .string()
  .regex(/^\d{1,4}$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.int().min(1).max(1000));

const TerminalQuery = z.object({
  reconnect: z.string().refine(isUuid, 'must be a UUID'),
  width: size.default(80),
  height: size.default(80),
  command: z
    .string()
    .max(4096)
    .refine((text) => !text.includes('\0'), 'must not contain the character U+0000')
    .default(''),
  view: queryBool().default(false),
});

/** What a client sends: input, a new size, or both. */
const Input = z.object({
  data: z.string().max(1_048_576).optional(),
  width: z.int().min(0).max(1000).optional(),
  height: z.int().min(0).max(1000).optional(),
});

/** No message above this, since clients in the field accept no more. */
const CHUNK_BYTES = 32 * 1024;

function queryOf(request: FastifyRequest): z.output<typeof TerminalQuery> {
  const parsed = TerminalQuery.safeParse(request.query);
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error);
}

function textOf(message: RawData): string {
  if (Array.isArray(message)) return Buffer.concat(message).toString('utf8');
  return Buffer.isBuffer(message) ? message.toString('utf8') : Buffer.from(message).toString('utf8');
}

async function serve(
  services: Services,
  request: FastifyRequest<{ Params: { workspaceagent: string } }>,
  socket: WebSocket,
): Promise<void> {
  const abort = new AbortController();
  socket.once('close', () => abort.abort());
  // What the client types before the shell is there must not be lost.
  const early: RawData[] = [];
  let take = (message: RawData): void => void early.push(message);
  socket.on('message', (message: RawData) => take(message));
  const { reconnect, width, height, command, view } = queryOf(request);
  const call = await userCallFor(contextOf(services, request, null), 'workspace:ssh');
  const terminal = await openTerminal(call, {
    agentId: request.params.workspaceagent,
    reconnect,
    isReadOnly: view,
    width,
    height,
    command,
    signal: abort.signal,
    onLost: () => socket.close(1008, 'Your access to this terminal has ended.'),
  });
  keepAlive(socket);
  take = (message) => {
    // The screen of who looks on may answer questions of the shell by itself; no answer of theirs may get there.
    if (view) return;
    const input = Input.safeParse(parseJson(textOf(message)));
    if (!input.success) return closeWithError(socket, invalid('A terminal takes JSON objects with data, or width and height.'), request);
    if (input.data.width && input.data.height) terminal.resize({ width: input.data.width, height: input.data.height });
    if (input.data.data !== undefined && !terminal.write(input.data.data)) {
      socket.pause();
      terminal.once('drain', () => socket.resume());
    }
  };
  for (const message of early) take(message);
  abort.signal.addEventListener('abort', () => terminal.destroy(), { once: true });
  for await (const chunk of terminal) {
    const bytes: Buffer = chunk;
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) await sendFrame(socket, bytes.subarray(at, at + CHUNK_BYTES));
  }
  socket.close(1000, endOf(terminal.exit));
}

/** How a shell ended, as the reason of the close frame: JSON with a sentence for people, and the exit for programs where it is known. */
function endOf(exit: PtyExit | null): string {
  if (exit === null) return JSON.stringify({ message: 'The shell has ended.', exit_code: null, signal: null });
  const { exitCode, signal } = exit;
  const message = signal === null ? `The shell exited with code ${exitCode}.` : `The shell was ended by signal ${signal}.`;
  return JSON.stringify({ message, exit_code: exitCode, signal });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Terminals: WebSocket on one side, the agent's tunnel on the other. How the socket closes says what happened:
 *
 * - 1000: the shell has ended; the reason is JSON, `{"message": "The shell exited with code 2.", "exit_code": 2, "signal": null}`, where
 *   both facts are null when they are not known.
 * - 1008: the caller may not be here, or not any more (a right or a share has ended); the reason is a sentence. Dialling again is useless.
 * - 1011 and others: the way to the shell broke; it may still be there for whoever dials again.
 */
export function mountTerminal(app: FastifyInstance, services: Services): void {
  mountSocket<{ workspaceagent: string }>(app, services, {
    url: '/api/v2/workspaceagents/:workspaceagent/pty',
    admit: async (request) => {
      requireSameOrigin(request, services);
      if (!isUuid(request.params.workspaceagent)) throw invalidField('workspaceagent', 'must be a UUID');
      const { reconnect, view } = queryOf(request);
      const call = await userCallFor(contextOf(services, request, null), 'workspace:ssh');
      await requireTerminal(call, { agentId: request.params.workspaceagent, reconnect, isReadOnly: view });
    },
    serve: (socket, request) => {
      serve(services, request, socket).catch((error: unknown) => closeWithError(socket, error, request));
    },
  });
}
