import { link, lstat, mkdir, open, opendir, readlink, rename, rmdir, stat, statfs, symlink, unlink } from 'node:fs/promises';
import { getSystemErrorMessage } from 'node:util';

import { changeByName, changeLink, changeOpen, isAppending, openFlags, renameToNew } from './change-file.ts';
import { Handles } from './handles.ts';
import { nextEntries } from './listing.ts';
import {
  ANSWERS,
  attributes,
  DATA_MAX,
  packet,
  PACKET_MAX,
  PacketReader,
  REQUESTS,
  SftpError,
  STATUS,
  text,
  uint32,
  uint64,
} from './packets.ts';
import type { StatusCode } from './packets.ts';
import { absolute, canonical, systemPath } from './paths.ts';

const VERSION = 3;
const FILE_MODE = 0o666;
const FOLDER_MODE = 0o777;
const HEADER_BYTES = 13;
const EXTENSIONS: Readonly<Record<string, string>> = {
  'posix-rename@openssh.com': '1',
  'statvfs@openssh.com': '2',
  'hardlink@openssh.com': '1',
  'fsync@openssh.com': '1',
  'lsetstat@openssh.com': '1',
  'limits@openssh.com': '1',
  'expand-path@openssh.com': '1',
};

export interface SftpContext {
  readonly handles: Handles;
  /** Where relative names lie. */
  readonly home: string;
}

/** Does what one packet asks and answers the packet to send. Never rejects: failures are answers. */
export async function answerRequest(request: Buffer, context: SftpContext): Promise<Buffer> {
  const reader = new PacketReader(request);
  let id = 0;
  try {
    const type = reader.byte();
    if (type === REQUESTS.init) return greeting();
    id = reader.uint32();
    return (await perform({ type, id, reader, ...context })) ?? status(id, STATUS.ok, 'Success');
  } catch (error) {
    return failure(id, error);
  }
}

interface Request extends SftpContext {
  readonly type: number;
  readonly id: number;
  readonly reader: PacketReader;
}

/** Undefined is success with nothing to say. */
async function perform({ type, id, reader, handles, home }: Request): Promise<Buffer | undefined> {
  const name = (): string => absolute(reader.name(), home);
  const file = (): Buffer => systemPath(name());
  switch (type) {
    case REQUESTS.open: {
      const path = file();
      const asked = reader.uint32();
      const { mode = FILE_MODE } = reader.attributes();
      handles.requireRoom();
      const opened = await open(path, openFlags(asked), mode & 0o7777);
      return handle(id, handles.add({ kind: 'file', file: opened, isAppending: isAppending(asked) }));
    }
    case REQUESTS.opendir: {
      const folder = name();
      handles.requireRoom();
      return handle(id, handles.add({ kind: 'folder', folder: await opendir(systemPath(folder), { encoding: 'latin1' }), name: folder }));
    }
    case REQUESTS.close:
      await handles.close(reader.text());
      return undefined;
    case REQUESTS.read:
      return await read({ id, reader, handles });
    case REQUESTS.write: {
      const { file: target, isAppending: isAtEnd } = handles.file(reader.text());
      const position = reader.uint64();
      const data = reader.bytes();
      for (let done = 0; done < data.length;) {
        const { bytesWritten } = await target.write(data, done, data.length - done, isAtEnd ? null : position + done);
        done += bytesWritten;
      }
      return undefined;
    }
    case REQUESTS.readdir: {
      const entries = await nextEntries(id, handles.folder(reader.text()));
      return entries ?? status(id, STATUS.eof, 'End of folder');
    }
    case REQUESTS.stat:
      return packet(ANSWERS.attributes, uint32(id), attributes(await stat(file())));
    case REQUESTS.lstat:
      return packet(ANSWERS.attributes, uint32(id), attributes(await lstat(file())));
    case REQUESTS.fstat:
      return packet(ANSWERS.attributes, uint32(id), attributes(await handles.file(reader.text()).file.stat()));
    case REQUESTS.setstat:
      await changeByName(name(), reader.attributes());
      return undefined;
    case REQUESTS.fsetstat:
      await changeOpen(handles.file(reader.text()).file, reader.attributes());
      return undefined;
    case REQUESTS.remove:
      await unlink(file());
      return undefined;
    case REQUESTS.mkdir:
      await mkdir(file(), { mode: (reader.attributes().mode ?? FOLDER_MODE) & 0o7777 });
      return undefined;
    case REQUESTS.rmdir:
      await rmdir(file());
      return undefined;
    case REQUESTS.realpath:
      return oneName(id, await canonical(name()));
    case REQUESTS.rename:
      await renameToNew(name(), name());
      return undefined;
    case REQUESTS.readlink:
      return oneName(id, await readlink(file(), { encoding: 'latin1' }));
    case REQUESTS.symlink: {
      // The target comes first, against the draft: OpenSSH began so, and all clients follow. It is kept as it is given.
      const target = systemPath(reader.name());
      await symlink(target, file());
      return undefined;
    }
    case REQUESTS.extended:
      return await extended({ id, reader, handles, home });
    default:
      throw new SftpError(STATUS.unsupported, 'This server does not know the request');
  }
}

async function read({ id, reader, handles }: Pick<Request, 'id' | 'reader' | 'handles'>): Promise<Buffer> {
  const { file } = handles.file(reader.text());
  const position = reader.uint64();
  const length = Math.min(reader.uint32(), DATA_MAX);
  // The data are read to where they lie in the answer.
  const answer = Buffer.allocUnsafe(HEADER_BYTES + length);
  const { bytesRead } = await file.read(answer, HEADER_BYTES, length, position);
  if (bytesRead === 0 && length > 0) return status(id, STATUS.eof, 'End of file');
  answer.writeUInt32BE(HEADER_BYTES - 4 + bytesRead, 0);
  answer.writeUInt8(ANSWERS.data, 4);
  answer.writeUInt32BE(id, 5);
  answer.writeUInt32BE(bytesRead, 9);
  return answer.subarray(0, HEADER_BYTES + bytesRead);
}

async function extended({ id, reader, handles, home }: Pick<Request, 'id' | 'reader' | 'handles' | 'home'>): Promise<Buffer | undefined> {
  const name = (): string => absolute(reader.name(), home);
  switch (reader.text()) {
    case 'posix-rename@openssh.com':
      await rename(systemPath(name()), systemPath(name()));
      return undefined;
    case 'hardlink@openssh.com':
      await link(systemPath(name()), systemPath(name()));
      return undefined;
    case 'fsync@openssh.com':
      await handles.file(reader.text()).file.sync();
      return undefined;
    case 'lsetstat@openssh.com':
      await changeLink(name(), reader.attributes());
      return undefined;
    case 'expand-path@openssh.com': {
      const asked = reader.name();
      const expanded = asked === '~' || asked.startsWith('~/') ? home + asked.slice(1) : asked;
      return oneName(id, await canonical(absolute(expanded, home)));
    }
    case 'limits@openssh.com':
      return packet(ANSWERS.extendedReply, uint32(id), ...[PACKET_MAX, DATA_MAX, DATA_MAX, Handles.max].map(uint64));
    case 'statvfs@openssh.com':
      return await fileSystem(id, systemPath(name()));
    default:
      throw new SftpError(STATUS.unsupported, 'This server does not know the request');
  }
}

/** Sizes for `df`. The system tells Node neither its flags nor the longest name. */
async function fileSystem(id: number, file: Buffer): Promise<Buffer> {
  const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(file, { bigint: true });
  const numbers = [bsize, bsize, blocks, bfree, bavail, files, ffree, ffree, 0n, 0n, 255n];
  return packet(ANSWERS.extendedReply, uint32(id), ...numbers.map(uint64));
}

function greeting(): Buffer {
  const extensions = Object.entries(EXTENSIONS).flatMap(([name, version]) => [text(name), text(version)]);
  return packet(ANSWERS.version, uint32(VERSION), ...extensions);
}

function handle(id: number, name: string): Buffer {
  return packet(ANSWERS.handle, uint32(id), text(name));
}

/** One name without attributes, which those who ask for a name do not read. */
function oneName(id: number, name: string): Buffer {
  return packet(ANSWERS.name, uint32(id), uint32(1), text(name), text(name), uint32(0));
}

function status(id: number, code: StatusCode, message: string): Buffer {
  return packet(ANSWERS.status, uint32(id), uint32(code), text(message), text('en'));
}

function failure(id: number, error: unknown): Buffer {
  if (error instanceof SftpError) return status(id, error.code, error.message);
  const { code, errno } = systemError(error);
  return status(id, statusOf(code), errno === undefined ? 'Failure' : getSystemErrorMessage(errno));
}

function systemError(error: unknown): { code: string; errno: number | undefined } {
  if (!(error instanceof Error)) return { code: '', errno: undefined };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const errno = 'errno' in error && typeof error.errno === 'number' ? error.errno : undefined;
  return { code, errno };
}

function statusOf(code: string): StatusCode {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EBADF':
    case 'ELOOP':
      return STATUS.noSuchFile;
    case 'EACCES':
    case 'EPERM':
    case 'EFAULT':
      return STATUS.permissionDenied;
    case 'ENAMETOOLONG':
    case 'EINVAL':
      return STATUS.badMessage;
    case 'ENOSYS':
    case 'EOPNOTSUPP':
      return STATUS.unsupported;
    default:
      return STATUS.failure;
  }
}
