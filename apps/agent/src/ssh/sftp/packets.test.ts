import { describe, expect, test } from 'vitest';

import { attributes, packet, PACKET_MAX, PacketReader, PacketSplitter, SftpError, text, uint32, uint64 } from './packets.ts';

describe('PacketSplitter', () => {
  test('packets come whole and in order, however their bytes are cut', () => {
    const packets = [packet(1, uint32(7)), packet(2), packet(3, text('x'.repeat(1000)), uint64(5)), packet(4, Buffer.alloc(70_000, 'y'))];
    const bytes = Buffer.concat(packets);
    for (const size of [1, 2, 3, 4, 5, 7, 13, 64, 1021, 32_768, bytes.length]) {
      const splitter = new PacketSplitter();
      const got: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) got.push(...splitter.push(bytes.subarray(at, at + size)));
      expect(Buffer.concat(got.flatMap((each) => [uint32(each.length), each])).equals(bytes)).toBe(true);
      expect(got.map((each) => each[0])).toEqual([1, 2, 3, 4]);
    }
  });

  test('a packet that is empty or too large is refused before it has come', () => {
    expect(() => new PacketSplitter().push(uint32(0))).toThrow(SftpError);
    expect(() => new PacketSplitter().push(uint32(PACKET_MAX + 1))).toThrow(SftpError);
  });
});

describe('PacketReader', () => {
  test('what is written is read again, names of any bytes and sizes beyond 32 bits too', () => {
    const stats = { size: 5_000_000_000, uid: 1000, gid: 0xffff_fffe, mode: 0o100644, atimeMs: 1_000_999, mtimeMs: 4_000_000_000_000 };
    const reader = new PacketReader(Buffer.concat([text('\xff\x80ab'), uint64(2n ** 40n), attributes(stats)]));
    expect(reader.name()).toBe('\xff\x80ab');
    expect(reader.uint64()).toBe(2 ** 40);
    expect(reader.attributes()).toEqual({
      size: 5_000_000_000,
      owner: { uid: 1000, gid: 0xffff_fffe },
      mode: 0o100644,
      times: { atime: 1000, mtime: 4_000_000_000 },
    });
  });

  test('a packet that ends too soon, or a name with an end inside, is refused', () => {
    expect(() => new PacketReader(Buffer.concat([uint32(5), Buffer.from('four')])).text()).toThrow('ends too soon');
    expect(() => new PacketReader(uint32(1).subarray(1)).uint32()).toThrow('ends too soon');
    expect(() => new PacketReader(text('a\0b')).name()).toThrow('zero byte');
  });
});
