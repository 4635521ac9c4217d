import { createReadStream } from 'node:fs';
import { DomainError } from '@berth/core';
import { AGENT_ARCHITECTURES, AGENT_START_PATH, agentBundleName, agentStartScript } from '@berth/protocol/agent-delivery';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { NotYet } from './agent-bundle.ts';
import type { AgentBundles } from './agent-bundle.ts';

/** Enough for a whole class that starts at once; more are told to come again, which the script does. */
const DOWNLOADS_AT_ONCE = 32;

/**
 * Serves what a new workspace fetches before it has any credential: the script that starts the agent, and the agent with its Node.js. Neither
 * has anything secret in it.
 */
export function mountAgentDownloads(app: FastifyInstance, bundles: AgentBundles, accessUrl: string): void {
  const script = agentStartScript({ accessUrl });
  let running = 0;

  app.get(AGENT_START_PATH, (_, reply) => reply.type('text/x-shellscript; charset=utf-8').header('cache-control', 'no-cache').send(script));

  app.get<{ Params: { name: string } }>('/bin/:name', async (request, reply) => {
    const architecture = AGENT_ARCHITECTURES.find((known) => agentBundleName(known) === request.params.name);
    const bundle = architecture === undefined ? undefined : await bundles.find(architecture).catch(notYet);
    if (bundle instanceof NotYet) {
      return reply.code(503).header('retry-after', bundle.retrySeconds).type('text/plain; charset=utf-8').send(`${bundle.message}\n`);
    }
    if (bundle === undefined) {
      const there = await bundles.architectures();
      const names = there.length === 0 ? 'none at all' : `those for linux on ${there.join(' and ')}`;
      return refuse(reply, `There is no agent ${request.params.name} on this server: it has ${names}.\n`);
    }
    const tag = `"${bundle.tag}"`;
    void reply.header('etag', tag).header('cache-control', 'no-cache');
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    void reply.type('application/gzip').header('content-length', bundle.bytes);
    if (request.method === 'HEAD') return reply.send();
    if (running >= DOWNLOADS_AT_ONCE) {
      throw new DomainError('unavailable', 'Too many agents are being fetched at once: try again in a moment.');
    }
    running += 1;
    reply.raw.once('close', () => {
      running -= 1;
    });
    return reply.send(createReadStream(bundle.file));
  });
}

function notYet(error: unknown): NotYet {
  if (error instanceof NotYet) return error;
  throw error;
}

/** In plain words: what reads this is a shell script in a container, and it shows them. */
function refuse(reply: FastifyReply, message: string) {
  return reply.code(404).type('text/plain; charset=utf-8').send(message);
}
