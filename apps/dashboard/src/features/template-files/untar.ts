import type { TemplateFile } from './tar.ts';
import { BLOCK } from './tar.ts';

/** Headers of long names counted: more than the server takes of files. */
const ENTRIES_MAX = 20_000;

const decoder = new TextDecoder();

/**
 * The files and symbolic links of a tar archive, by path. Understands what programs write today: ustar prefixes, pax headers and the long
 * names of GNU. Folders are left out, and hard links become files.
 *
 * @throws for what is no such archive.
 */
export function filesOfTar(tar: Uint8Array<ArrayBuffer>): TemplateFile[] {
  const files = new Map<string, TemplateFile>();
  let pending: { path?: string; linkpath?: string; size?: string } = {};
  let at = 0;
  for (let entries = 0; at + BLOCK <= tar.length; entries += 1) {
    const block = tar.subarray(at, at + BLOCK);
    if (block[0] === 0) break;
    if (entries >= ENTRIES_MAX) throw new Error('The archive has too many entries to show.');
    checkSum(block);
    const size = pending.size === undefined ? octal(block, 124, 12) : Number(pending.size);
    const bytes = tar.slice(at + BLOCK, at + BLOCK + size);
    if (!Number.isSafeInteger(size) || bytes.length !== size) throw new Error('The archive ends in the middle of a file.');
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const type = String.fromCharCode(block[156] ?? 0);
    if (type === 'x') {
      pending = { ...pending, ...paxOf(bytes) };
      continue;
    }
    if (type === 'L' || type === 'K') {
      pending = { ...pending, [type === 'L' ? 'path' : 'linkpath']: text(bytes, 0, bytes.length) };
      continue;
    }
    const path = plain(pending.path ?? nameOf(block));
    const link = pending.linkpath ?? text(block, 157, 100);
    pending = {};
    if (path === '') continue;
    if (type === '0' || type === '\0' || type === '7') {
      const isExecutable = (octal(block, 100, 8) & 0o100) !== 0;
      files.set(path, { path, bytes, ...(isExecutable ? { isExecutable } : {}) });
    } else if (type === '2') {
      files.set(path, { path, bytes: new Uint8Array(), link });
    } else if (type === '1') {
      const original = files.get(plain(link));
      if (original !== undefined) files.set(path, { ...original, path });
    }
  }
  return [...files.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

function nameOf(block: Uint8Array): string {
  const name = text(block, 0, 100);
  // GNU's own format has other things where ustar has the prefix.
  const prefix = text(block, 257, 6) === 'ustar' ? text(block, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function checkSum(block: Uint8Array): void {
  const sum = block.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  if (octal(block, 148, 8) !== sum) throw new Error('This is no tar archive, or it is damaged.');
}

function octal(block: Uint8Array, at: number, length: number): number {
  const digits = text(block, at, length).trim();
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

/** A field up to its first NUL. */
function text(block: Uint8Array, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return decoder.decode(end === -1 ? field : field.subarray(0, end));
}

function plain(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

function paxOf(bytes: Uint8Array): Record<string, string> {
  const records: Record<string, string> = {};
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(32, at);
    const length = space === -1 ? Number.NaN : Number(decoder.decode(bytes.subarray(at, space)));
    if (!(length > 0)) break;
    const record = decoder.decode(bytes.subarray(space + 1, at + length - 1));
    const equals = record.indexOf('=');
    const key = record.slice(0, equals);
    if (key === 'path' || key === 'linkpath' || key === 'size') records[key] = record.slice(equals + 1);
    at += length;
  }
  return records;
}
