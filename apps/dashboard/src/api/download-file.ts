import { refusalOf } from './refusal.ts';
import { partsOf } from './response-parts.ts';

interface Download {
  /** As the server names the file. */
  readonly name: string;
  readonly blob: Blob;
}

interface Options {
  readonly signal: AbortSignal;
  /** Called with each part as it comes; `total` is the server's count of rows, null when it gives none. */
  readonly onPart: (part: Uint8Array, total: number | null) => void;
}

/** Parts are put together now and then: a browser keeps large blobs on disk, and arrays in memory. */
const JOINED_BYTES = 8 * 1024 * 1024;

/**
 * Reads a file from a raw door of the server. Throws what a call of the typed client throws: a refusal in the server's words; also when the
 * answer breaks off before its end.
 */
export async function downloadFile(path: string, { signal, onPart }: Options): Promise<Download> {
  const response = await fetch(path, { signal });
  if (!response.ok) {
    throw refusalOf(response, await response.json().catch(() => undefined), 'The download');
  }
  const total = response.headers.get('x-total-count');
  const joined: Blob[] = [];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const join = (): void => {
    joined.push(new Blob(parts));
    parts = [];
    bytes = 0;
  };
  for await (const part of partsOf(response)) {
    parts.push(part);
    bytes += part.length;
    onPart(part, total === null ? null : Number(total));
    if (bytes > JOINED_BYTES) join();
  }
  join();
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'download';
  return { name, blob: new Blob(joined, { type: response.headers.get('content-type') ?? 'application/octet-stream' }) };
}
