import { refusalOf } from './refusal.ts';
import { partsOf } from './response-parts.ts';

/** Archives beyond this are for programs, not for pages. */
const BYTES_MAX = 32 * 1024 * 1024;

/**
 * The tar archive that is stored under `fileId`. Throws what a call of the typed client throws: `not_found` also for who may not have it,
 * `too_large` for more than 32 MiB.
 */
export async function downloadArchive(fileId: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(`/api/v2/files/${encodeURIComponent(fileId)}`, { signal });
  if (!response.ok) throw refusalOf(response, await response.json().catch(() => undefined), 'The download');
  const bytes: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // Counted as they come: the length that a server announces is that of what it sends, compressed or not.
  for await (const part of partsOf(response)) {
    size += part.length;
    if (size > BYTES_MAX) throw tooLarge();
    bytes.push(part);
  }
  return new Uint8Array(await new Blob(bytes).arrayBuffer());
}

function tooLarge(): Error {
  return Object.assign(new Error('The archive has more than 32 MiB, too much to show here.'), {
    data: { kind: 'too_large', detail: 'Download it instead.', validations: [] },
  });
}
