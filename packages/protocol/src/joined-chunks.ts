/** What is copied to be sent at once; larger pieces go as they are. */
const JOIN_MAX_BYTES = 64 * 1024;

/** The same bytes in fewer pieces, in order: small neighbours become one of at most 64 KiB, so that each costs one frame and one call of the kernel. */
export function joinedChunks(chunks: readonly { readonly chunk: Buffer }[]): Buffer[] {
  const joined: Buffer[] = [];
  let batch: Buffer[] = [];
  let size = 0;
  const flush = (): void => {
    if (batch.length > 0) joined.push(batch.length === 1 && batch[0] !== undefined ? batch[0] : Buffer.concat(batch, size));
    batch = [];
    size = 0;
  };
  for (const { chunk } of chunks) {
    if (size + chunk.length > JOIN_MAX_BYTES) flush();
    batch.push(chunk);
    size += chunk.length;
  }
  flush();
  return joined;
}
