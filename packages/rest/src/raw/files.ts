import type { Services } from '@berth/api/server';
import { DownloadFormat, MAX_UPLOAD_BYTES, downloadFile, uploadFile } from '@berth/api/server';
import { DomainError, invalidField, isUuid, unauthenticated } from '@berth/core';
import fastifyMultipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contextOf, identify } from '../http/caller.ts';
import { sendFailure } from '../http/errors.ts';

interface Upload {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** Programs that send forms seldom know the type of an archive; its name does. */
function mimeTypeOf(part: { readonly mimetype: string; readonly filename: string }): string {
  if (part.mimetype !== 'application/octet-stream') return part.mimetype;
  return part.filename.endsWith('.zip') ? 'application/zip' : 'application/x-tar';
}

/** What the form's parser says, as one of our refusals: it fails for what is sent only. */
function refuseForm(error: unknown): never {
  const isTooLarge = typeof error === 'object' && error !== null && Reflect.get(error, 'statusCode') === 413;
  if (isTooLarge) throw new DomainError('too_large', `An archive must not exceed ${MAX_UPLOAD_BYTES} bytes.`, { cause: error });
  throw new DomainError('invalid', 'The form cannot be read.', { cause: error });
}

/** The archive of a request: its body, or the field `file` of a form. */
async function uploadOf(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart()) {
    return { mimeType: request.headers['content-type'] ?? '', bytes: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0) };
  }
  const part = await request.file().catch(refuseForm);
  if (part?.fieldname !== 'file') throw invalidField('file', 'must hold the archive');
  const bytes = await part.toBuffer().catch(refuseForm);
  return { mimeType: mimeTypeOf(part), bytes };
}

/** Uploads take the archive itself as the body or in a form; downloads answer with it. */
export function mountFiles(app: FastifyInstance, services: Services): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(fastifyMultipart, { limits: { fileSize: MAX_UPLOAD_BYTES, files: 1, fields: 4, parts: 5 } });
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_UPLOAD_BYTES }, (_, body, done) => done(null, body));
    // Asked before the body is read, so that nobody unknown makes the server hold an archive.
    const onRequest = async (request: FastifyRequest): Promise<void> => {
      if ((await identify(services, request)).kind !== 'user') throw unauthenticated();
    };
    scope.post('/api/v2/files', { bodyLimit: MAX_UPLOAD_BYTES + 64 * 1024, onRequest }, async (request, reply) => {
      try {
        const stored = await uploadFile(contextOf(services, request, reply), await uploadOf(request));
        return await reply.code(stored.isNew ? 201 : 200).send({ hash: stored.id });
      } catch (error) {
        return sendFailure(reply, error);
      }
    });
  });

  app.get<{ Params: { fileID: string }; Querystring: { format?: string } }>('/api/v2/files/:fileID', async (request, reply) => {
    try {
      if (!isUuid(request.params.fileID)) throw invalidField('fileID', 'must be a UUID');
      const format = DownloadFormat.optional().safeParse(request.query.format);
      if (!format.success) throw invalidField('format', 'must be `tar` or `zip`');
      const file = await downloadFile(contextOf(services, request, reply), request.params.fileID, format.data);
      return await reply.type(file.mimeType).send(Buffer.from(file.bytes));
    } catch (error) {
      return sendFailure(reply, error);
    }
  });
}
