import type { Services } from '@berth/api/server';
import { ExportAuditLogs, exportAuditLogs, invalidInput, userCallFor } from '@berth/api/server';
import { DomainError } from '@berth/core';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { contextOf } from '../http/caller.ts';
import { sendFailure } from '../http/errors.ts';

/** A reader that takes nothing for so long has gone, whatever its connection says. */
const STALLED_MS = 60_000;

/** The audit log as a file. It is written while it is read; when something goes wrong in between, the connection breaks. */
export function mountAuditExport(app: FastifyInstance, services: Services): void {
  app.get('/api/v2/audit/export', { exposeHeadRoute: false }, async (request, reply) => {
    const abort = new AbortController();
    reply.raw.once('close', () => abort.abort());
    try {
      const call = await userCallFor(contextOf(services, request, reply), 'audit_log:read');
      const input = ExportAuditLogs.safeParse(request.query);
      if (!input.success) throw invalidInput(input.error);
      await exportAuditLogs(call, input.data, {
        signal: abort.signal,
        begin: ({ fileName, mediaType, rows }) => {
          reply.hijack();
          reply.raw.writeHead(200, {
            ...Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])),
            'content-type': mediaType,
            'content-disposition': `attachment; filename="${fileName}"`,
            'cache-control': 'no-store',
            'x-total-count': String(rows),
          });
        },
        write: (text) => written(reply, text, abort.signal),
      });
      reply.raw.end();
      return reply;
    } catch (error) {
      if (!reply.sent) return sendFailure(reply, error);
      request.log.warn({ err: error, request_id: request.id }, 'an export of the audit log broke off');
      // Without its end the answer is not whole, and every client says so.
      reply.raw.destroy();
      return reply;
    }
  });
}

async function written({ raw }: FastifyReply, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw new DomainError('unavailable', 'The reader went away.');
  if (text === '' || raw.write(text)) return;
  await new Promise<void>((resolve, reject) => {
    const over = (settle: () => void): void => {
      clearTimeout(timer);
      raw.off('drain', drained);
      raw.off('close', closed);
      settle();
    };
    const drained = (): void => over(resolve);
    const closed = (): void => over(() => reject(new DomainError('unavailable', 'The reader went away.')));
    const timer = setTimeout(() => over(() => reject(new DomainError('unavailable', 'The reader stood still.'))), STALLED_MS);
    raw.once('drain', drained);
    raw.once('close', closed);
  });
}
