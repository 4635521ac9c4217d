/** A file of a template. */
export interface TemplateFile {
  /** With slashes, below the folder of the template: `scripts/install.sh`. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isExecutable?: boolean;
  /** For a symbolic link: where it leads. Its bytes are none. */
  readonly link?: string;
}

export const BLOCK = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;

const encoder = new TextEncoder();

/** Packs files as a tar archive (POSIX ustar; longer paths by pax headers). The same files give the same bytes, so that they are stored once. */
export function tarOf(files: readonly TemplateFile[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const put = (head: Head, bytes: Uint8Array<ArrayBuffer>): void => {
    parts.push(header(head), bytes, new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK));
  };
  for (const { path, bytes, isExecutable = false, link } of files) {
    const fits = split(path);
    const long = [
      ...(fits === undefined ? [paxRecord('path', path)] : []),
      ...(link !== undefined && encoder.encode(link).length > NAME_BYTES ? [paxRecord('linkpath', link)] : []),
    ].join('');
    if (long !== '') {
      const records = encoder.encode(long);
      put({ name: 'pax', prefix: '', size: records.length, mode: 0o644, type: 'x', link: '' }, records);
    }
    put(
      {
        ...(fits ?? { name: cut(path), prefix: '' }),
        size: bytes.length,
        mode: link !== undefined ? 0o777 : isExecutable ? 0o755 : 0o644,
        type: link === undefined ? '0' : '2',
        link: cut(link ?? ''),
      },
      bytes,
    );
  }
  parts.push(new Uint8Array(2 * BLOCK));
  return new Blob(parts, { type: 'application/x-tar' });
}

interface Head {
  readonly name: string;
  readonly prefix: string;
  readonly size: number;
  readonly mode: number;
  readonly type: '0' | '2' | 'x';
  readonly link: string;
}

function header({ name, prefix, size, mode, type, link }: Head): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const put = (text: string, at: number): void => block.set(encoder.encode(text), at);
  put(name, 0);
  put(`${mode.toString(8).padStart(7, '0')}\0`, 100);
  put('0000000\0', 108);
  put('0000000\0', 116);
  put(`${size.toString(8).padStart(11, '0')}\0`, 124);
  put('00000000000\0', 136);
  // The checksum is made with spaces in its own place.
  put('        ', 148);
  put(type, 156);
  put(link, 157);
  put('ustar\0' + '00', 257);
  put(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** The two fields of a header that a path goes into, cut at a slash; undefined when it fits into neither. */
function split(path: string): { name: string; prefix: string } | undefined {
  if (encoder.encode(path).length <= NAME_BYTES) return { name: path, prefix: '' };
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (encoder.encode(prefix).length > PREFIX_BYTES) return undefined;
    if (name !== '' && encoder.encode(name).length <= NAME_BYTES) return { name, prefix };
  }
  return undefined;
}

/** What old programs see of a path for which there is a pax header. */
function cut(path: string): string {
  let text = path.slice(0, NAME_BYTES);
  while (encoder.encode(text).length > NAME_BYTES) text = text.slice(0, -1);
  return text;
}

/** `LENGTH key=value\n`, where the length counts itself. */
function paxRecord(key: string, value: string): string {
  const rest = encoder.encode(` ${key}=${value}\n`).length;
  let length = rest + String(rest).length;
  if (String(length).length !== String(rest).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}
