import type { Services } from '@berth/api/server';
import { DownloadFormat, MAX_UPLOAD_BYTES, downloadFile, reportOf, uploadFile } from '@berth/api/server';
import { invalidField, isUuid } from '@berth/core';
import type { FastifyInstance } from 'fastify';
import { contextOf } from '../http/caller.ts';
import { sendReport } from '../http/errors.ts';

/** Uploads take the archive itself as the body; downloads answer with it. */
export function mountFiles(app: FastifyInstance, services: Services): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_UPLOAD_BYTES }, (_, body, done) => done(null, body));
    scope.post('/api/v2/files', { bodyLimit: MAX_UPLOAD_BYTES }, async (request, reply) => {
      try {
        const context = contextOf(services, request, reply);
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const stored = await uploadFile(context, { mimeType: request.headers['content-type'] ?? '', bytes });
        return await reply.code(stored.isNew ? 201 : 200).send({ hash: stored.id });
      } catch (error) {
        return sendReport(reply, reportOf(error));
      }
    });
  });

  app.get<{ Params: { fileID: string }; Querystring: { format?: string } }>('/api/v2/files/:fileID', async (request, reply) => {
    try {
      if (!isUuid(request.params.fileID)) throw invalidField('fileID', 'must be a UUID');
      const format = DownloadFormat.optional().safeParse(request.query.format);
      if (!format.success) throw invalidField('format', 'must be `tar` or `zip`');
      const file = await downloadFile(contextOf(services, request, reply), request.params.fileID, format.data);
      return await reply.type(file.mimeType).send(file.bytes);
    } catch (error) {
      return sendReport(reply, reportOf(error));
    }
  });
}
