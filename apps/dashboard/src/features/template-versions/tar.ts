/** A file for an archive; the name is a path with slashes, below the folder of the template. */
export interface ArchivedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const BLOCK = 512;
const NAME_BYTES_MAX = 100;

/** Packs files as a tar archive (POSIX ustar). @throws for a name longer than 100 bytes, which the format has no simple place for. */
export function tarOf(files: readonly ArchivedFile[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (const { name, bytes } of files) {
    parts.push(header(name, bytes.length), bytes, new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  return new Blob(parts, { type: 'application/x-tar' });
}

function header(name: string, size: number): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const encoder = new TextEncoder();
  const put = (text: string, at: number): void => block.set(encoder.encode(text), at);
  if (encoder.encode(name).length > NAME_BYTES_MAX) {
    throw new Error(`The path ${name} is too long: put the files into an archive yourself.`);
  }
  put(name, 0);
  put('0000644\0', 100);
  put('0000000\0', 108);
  put('0000000\0', 116);
  put(`${size.toString(8).padStart(11, '0')}\0`, 124);
  put('00000000000\0', 136);
  // The checksum is made with spaces in its own place.
  put('        ', 148);
  put('0', 156);
  put('ustar\0' + '00', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
