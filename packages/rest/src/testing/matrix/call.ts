import type { ProcedureFacts } from '@berth/api/server';
import type { InjectOptions } from 'fastify';
import { z } from 'zod';
import type { TestServer } from '../index.ts';

/** `ok`: it succeeded. `none`: it succeeded with an empty list. Otherwise the status of the refusal. */
export type Outcome = string;

interface Attempt {
  readonly headers: Readonly<Record<string, string>>;
  /** Made anew for each door, since some calls use their input up. */
  readonly input: () => Record<string, unknown> | Promise<Record<string, unknown>>;
}

const RpcAnswer = z.object({ result: z.object({ data: z.unknown().optional() }).optional() });

/** Calls one procedure over tRPC and, where it has a route, over REST. */
export async function outcomesOverBothDoors(
  server: TestServer,
  facts: ProcedureFacts,
  attempt: Attempt,
): Promise<{ rpc: Outcome; rest: Outcome | null }> {
  return { rpc: await overRpc(server, facts, attempt), rest: await overRest(server, facts, attempt) };
}

async function overRpc({ app }: TestServer, { path, type }: ProcedureFacts, { headers, input }: Attempt): Promise<Outcome> {
  const payload = JSON.stringify(await input());
  if (type === 'subscription') return overEvents(app, `/api/rpc/${path}?input=${encodeURIComponent(payload)}`, headers);
  const call: InjectOptions =
    type === 'query'
      ? { method: 'GET', url: `/api/rpc/${path}?input=${encodeURIComponent(payload)}`, headers }
      : { method: 'POST', url: `/api/rpc/${path}`, headers: { ...headers, 'content-type': 'application/json' }, payload };
  const response = await app.inject(call);
  return outcomeOf(response.statusCode, () => RpcAnswer.parse(response.json()).result?.data);
}

/** Server-sent events: what the stream says first. A refusal comes as an event of the open stream, or as a status. */
async function overEvents(app: TestServer['app'], url: string, headers: Readonly<Record<string, string>>): Promise<Outcome> {
  const response = await app.inject({ method: 'GET', url, headers, payloadAsStream: true });
  if (response.statusCode !== 200) return outcomeOf(response.statusCode, () => undefined);
  const stream = response.stream();
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    const error = /"httpStatus":(\d+)/.exec(text);
    if (error?.[1] !== undefined) return outcomeOf(Number(error[1]), () => undefined);
    if (text.includes('event: connected')) break;
  }
  stream.destroy();
  return 'ok';
}

async function overRest({ rest }: TestServer, { meta }: ProcedureFacts, { headers, input }: Attempt): Promise<Outcome | null> {
  if (meta.openapi === undefined) return null;
  const fields = { ...(await input()) };
  const path = meta.openapi.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = String(fields[name]);
    delete fields[name];
    return encodeURIComponent(value);
  });
  const { method } = meta.openapi;
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const query = hasBody
    ? ''
    : `?${new URLSearchParams(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))).toString()}`;
  const { status, body } = await rest({ method, path: path + query, headers: { ...headers }, ...(hasBody ? { body: fields } : {}) });
  return outcomeOf(status, () => body);
}

function outcomeOf(status: number, answer: () => unknown): Outcome {
  if (status >= 300) return String(status);
  return status === 200 && isEmptyList(answer()) ? 'none' : 'ok';
}

/** An empty list, bare or as the only array of a page. */
function isEmptyList(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== 'object' || value === null) return false;
  const arrays = Object.values(value).filter((field) => Array.isArray(field));
  return 'count' in value && arrays.length === 1 && arrays[0]?.length === 0;
}
