import type { Services } from '@berth/api/server';
import { buildStateBytes, userCallFor } from '@berth/api/server';
import { invalidField, isUuid } from '@berth/core';
import type { FastifyInstance } from 'fastify';
import { contextOf } from '../http/caller.ts';
import { sendFailure } from '../http/errors.ts';
import { answerOperation, restOperations } from '../http/mount-procedures.ts';

export const STATE_URL = '/api/v2/workspacebuilds/:workspacebuild/state';

/** The state of a build: JSON by the procedure, the raw bytes for `Accept: application/octet-stream`. */
export function mountState(app: FastifyInstance, services: Services): void {
  const operation = restOperations().find(({ method, url }) => method === 'GET' && url === STATE_URL);
  if (operation === undefined) throw new Error(`no procedure answers GET ${STATE_URL}`);
  app.get<{ Params: { workspacebuild: string } }>(STATE_URL, async (request, reply) => {
    if (request.headers.accept !== 'application/octet-stream') return answerOperation(services, operation, request, reply);
    try {
      const { workspacebuild } = request.params;
      if (!isUuid(workspacebuild)) throw invalidField('workspacebuild', 'must be a UUID');
      const call = await userCallFor(contextOf(services, request, reply), 'template:update');
      return await reply.type('application/octet-stream').send(Buffer.from(await buildStateBytes(call, { workspacebuild })));
    } catch (error) {
      return sendFailure(reply, error);
    }
  });
}
