import { uuid } from '@berth/core';
import { z } from 'zod';

/** Archives that templates are made of. Both operations carry raw bytes, so `packages/rest` serves them over the service functions. */

export const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;

export const UPLOAD_MIME_TYPES = ['application/x-tar', 'application/zip', 'application/x-zip-compressed'] as const;
export type UploadMimeType = (typeof UPLOAD_MIME_TYPES)[number];

export const UploadResponse = z
  .object({
    hash: uuid().meta({ description: 'The id of the file; the field keeps its historic name.' }),
  })
  .meta({ id: 'UploadResponse', description: 'The stored file.' });
export type UploadResponse = z.output<typeof UploadResponse>;

/** `?format=` of a download; absent means tar, as stored. */
export const DownloadFormat = z.enum(['tar', 'zip']);
export type DownloadFormat = z.output<typeof DownloadFormat>;
