/**
 * The words of SFTP version 3 (draft-ietf-secsh-filexfer-02) and of OpenSSH's extensions to it. Names are bytes to the protocol: here they
 * are text whose characters are those bytes (latin1), so that no name is lost.
 */
export const REQUESTS = {
  init: 1,
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  lstat: 7,
  fstat: 8,
  setstat: 9,
  fsetstat: 10,
  opendir: 11,
  readdir: 12,
  remove: 13,
  mkdir: 14,
  rmdir: 15,
  realpath: 16,
  stat: 17,
  rename: 18,
  readlink: 19,
  symlink: 20,
  extended: 200,
} as const;

export const ANSWERS = { version: 2, status: 101, handle: 102, data: 103, name: 104, attributes: 105, extendedReply: 201 } as const;

export const STATUS = { ok: 0, eof: 1, noSuchFile: 2, permissionDenied: 3, failure: 4, badMessage: 5, unsupported: 8 } as const;
export type StatusCode = (typeof STATUS)[keyof typeof STATUS];

/** The largest packet, its length apart, and what of it a read or a write may carry; OpenSSH has the same. */
export const PACKET_MAX = 256 * 1024;
export const DATA_MAX = PACKET_MAX - 1024;

/** An answer that is no success. */
export class SftpError extends Error {
  readonly code: StatusCode;

  constructor(code: StatusCode, message: string) {
    super(message);
    this.code = code;
  }
}

const ATTRIBUTE = { size: 0x1, owner: 0x2, mode: 0x4, times: 0x8, extended: 0x80000000 } as const;

/** What a request says of a file; absent means unchanged. Times in seconds. */
export interface Attributes {
  readonly size?: number;
  readonly owner?: { readonly uid: number; readonly gid: number };
  readonly mode?: number;
  readonly times?: { readonly atime: number; readonly mtime: number };
}

/** Reads the fields of one packet in their order. Throws an `SftpError` where the packet ends too soon. */
export class PacketReader {
  readonly #packet: Buffer;
  #position = 0;

  constructor(packet: Buffer) {
    this.#packet = packet;
  }

  byte(): number {
    return this.#take(1).readUInt8();
  }

  uint32(): number {
    return this.#take(4).readUInt32BE();
  }

  /** As a number: no file is larger than 2⁵³ bytes. */
  uint64(): number {
    return Number(this.#take(8).readBigUInt64BE());
  }

  bytes(): Buffer {
    return this.#take(this.uint32());
  }

  text(): string {
    return this.bytes().toString('latin1');
  }

  /** A name, which the system would cut at a zero byte. */
  name(): string {
    const name = this.text();
    if (name.includes('\0')) throw new SftpError(STATUS.badMessage, 'A name holds no zero byte');
    return name;
  }

  attributes(): Attributes {
    const flags = this.uint32();
    const size = flags & ATTRIBUTE.size ? { size: this.uint64() } : {};
    const owner = flags & ATTRIBUTE.owner ? { owner: { uid: this.uint32(), gid: this.uint32() } } : {};
    const mode = flags & ATTRIBUTE.mode ? { mode: this.uint32() } : {};
    const times = flags & ATTRIBUTE.times ? { times: { atime: this.uint32(), mtime: this.uint32() } } : {};
    return { ...size, ...owner, ...mode, ...times };
  }

  #take(length: number): Buffer {
    const end = this.#position + length;
    if (end > this.#packet.length) throw new SftpError(STATUS.badMessage, 'The packet ends too soon');
    const taken = this.#packet.subarray(this.#position, end);
    this.#position = end;
    return taken;
  }
}

/** The parts of a packet after its length. */
function byte(value: number): Buffer {
  return Buffer.of(value);
}

export function uint32(value: number): Buffer {
  const buffer = Buffer.allocUnsafe(4);
  buffer.writeUInt32BE(value >>> 0);
  return buffer;
}

export function uint64(value: bigint | number): Buffer {
  const buffer = Buffer.allocUnsafe(8);
  buffer.writeBigUInt64BE(BigInt.asUintN(64, BigInt(value)));
  return buffer;
}

/** A text of bytes (latin1) with its length. */
export function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  return Buffer.concat([uint32(bytes.length), bytes]);
}

export function attributes(stats: {
  readonly size: number;
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
  readonly atimeMs: number;
  readonly mtimeMs: number;
}): Buffer {
  return Buffer.concat([
    uint32(ATTRIBUTE.size | ATTRIBUTE.owner | ATTRIBUTE.mode | ATTRIBUTE.times),
    uint64(stats.size),
    uint32(stats.uid),
    uint32(stats.gid),
    uint32(stats.mode),
    uint32(Math.floor(stats.atimeMs / 1000)),
    uint32(Math.floor(stats.mtimeMs / 1000)),
  ]);
}

/** A whole packet, its length first. */
export function packet(type: number, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 1);
  return Buffer.concat([uint32(length), byte(type), ...parts]);
}

/** Cuts a stream of bytes into packets. Throws when one is empty or too large. */
export class PacketSplitter {
  #pieces: Buffer[] = [];
  #length = 0;

  /** Adds what arrived and answers the packets that are whole now, without their lengths. */
  push(chunk: Buffer): Buffer[] {
    this.#pieces.push(chunk);
    this.#length += chunk.length;
    const packets: Buffer[] = [];
    while (this.#length >= 4) {
      const head = this.#join(4);
      const length = head.readUInt32BE();
      if (length === 0 || length > PACKET_MAX) throw new SftpError(STATUS.badMessage, 'A packet is empty or too large');
      if (this.#length < 4 + length) break;
      const whole = this.#join(4 + length);
      packets.push(whole.subarray(4, 4 + length));
      const rest = whole.subarray(4 + length);
      this.#pieces = rest.length === 0 ? [] : [rest, ...this.#pieces.slice(1)];
      this.#length -= 4 + length;
    }
    return packets;
  }

  /** The first piece, with at least so many bytes: pieces are joined only when a packet lies across them. */
  #join(bytes: number): Buffer {
    const [first] = this.#pieces;
    if (first !== undefined && first.length >= bytes) return first;
    const joined = Buffer.concat(this.#pieces);
    this.#pieces = [joined];
    return joined;
  }
}
