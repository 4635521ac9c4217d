import { describe, expect, test } from 'vitest';

import { exitFrame, FRAME_MAX_BYTES, FRAME_TYPES, FrameDecoder, frameHeader, resizeFrame } from './frames.ts';
import type { PtyExit, TerminalSize } from './frames.ts';

function collect() {
  const seen: { data: Buffer[]; sizes: TerminalSize[]; exits: PtyExit[] } = { data: [], sizes: [], exits: [] };
  const decoder = new FrameDecoder({
    data: (piece) => seen.data.push(piece),
    resize: (size) => seen.sizes.push(size),
    exit: (exit) => seen.exits.push(exit),
  });
  return { seen, decoder };
}

const data = (text: string) => Buffer.concat([frameHeader(FRAME_TYPES.data, Buffer.byteLength(text)), Buffer.from(text)]);

describe('frames', () => {
  test('frames survive being cut at every byte', () => {
    const wire = Buffer.concat([
      data('hello'),
      resizeFrame({ width: 65_535, height: 1 }),
      data(''),
      exitFrame({ exitCode: -1, signal: 9 }),
      exitFrame({ exitCode: 255, signal: null }),
    ]);
    const { seen, decoder } = collect();
    for (const byte of wire) decoder.push(Buffer.from([byte]));
    expect(Buffer.concat(seen.data).toString()).toBe('hello');
    expect(seen.sizes).toEqual([{ width: 65_535, height: 1 }]);
    expect(seen.exits).toEqual([
      { exitCode: -1, signal: 9 },
      { exitCode: 255, signal: null },
    ]);
    expect(decoder.isAtBoundary).toBe(true);
  });

  test('a frame of an unknown type is skipped', () => {
    const { seen, decoder } = collect();
    decoder.push(Buffer.concat([frameHeader(99, 3), Buffer.from('???'), data('ok')]));
    expect(Buffer.concat(seen.data).toString()).toBe('ok');
  });

  test('a frame that is longer than allowed is refused before its payload arrives', () => {
    expect(() => collect().decoder.push(frameHeader(FRAME_TYPES.data, FRAME_MAX_BYTES + 1))).toThrow(/more than/);
    expect(() => collect().decoder.push(frameHeader(FRAME_TYPES.exit, 4096))).toThrow(/more than/);
  });

  test('a size of nothing is ignored', () => {
    const { seen, decoder } = collect();
    decoder.push(resizeFrame({ width: 0, height: 24 }));
    expect(seen.sizes).toEqual([]);
  });
});
