import { describe, expect, test } from 'vitest';

import { ScrollBack } from './scroll-back.ts';

const filled = (maxBytes: number, chunks: (string | Buffer)[]) => {
  const scrollBack = new ScrollBack(maxBytes);
  for (const chunk of chunks) scrollBack.push(Buffer.from(chunk));
  return scrollBack.snapshot();
};

describe('scroll-back', () => {
  test('what fits is kept byte for byte', () => {
    expect(filled(100, ['a', 'b\r\n', 'c']).toString()).toBe('ab\r\nc');
  });

  test('what does not fit falls out by whole lines, oldest first', () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i}\n`);
    const kept = filled(50, lines).toString();
    expect(kept.endsWith('line 98\nline 99\n')).toBe(true);
    expect(kept).toMatch(/^line \d+\n/);
    expect(kept.length).toBeLessThanOrEqual(63);
  });

  test('it stays bounded however much is shown', () => {
    const chunks = Array.from({ length: 50 }, () => Buffer.alloc(10_000, 'x'));
    expect(filled(20_000, chunks).length).toBeLessThanOrEqual(25_000);
  });

  test('a byte at a time takes no more room than all at once', () => {
    const scrollBack = new ScrollBack(100_000);
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 200_000; i += 1) scrollBack.push(Buffer.from('x'));
    expect(scrollBack.snapshot().length).toBeLessThanOrEqual(125_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
  });

  test('less room counts from the next output on', () => {
    let room = 1000;
    const scrollBack = new ScrollBack(() => room);
    scrollBack.push(Buffer.alloc(1000, 'x'));
    room = 400;
    scrollBack.push(Buffer.from('y'));
    expect(scrollBack.snapshot().length).toBeLessThanOrEqual(651);
  });

  test('a character is not cut in half', () => {
    const kept = filled(10, ['ü'.repeat(40)]).toString();
    expect(kept).toMatch(/^ü+$/);
  });

  test('the modes of the terminal are kept when their sequences fall out', () => {
    const text = filled(100, ['\u001b[?1049h\u001b[?25l\u001b[?1;2004h\u001b[?25h', '-\n'.repeat(200)]).toString();
    expect(text.startsWith('\u001b[?1049h\u001b[?25h\u001b[?1h\u001b[?2004h-\n')).toBe(true);
  });

  test('a mode whose sequence lies across the cut is kept', () => {
    const scrollBack = new ScrollBack(8);
    scrollBack.push(Buffer.from('aaaaaa\u001b[?104'));
    scrollBack.push(Buffer.from('9hbbbbbbbbbbbbbbbb'));
    scrollBack.push(Buffer.from('c'.repeat(30)));
    expect(scrollBack.snapshot().toString().startsWith('\u001b[?1049h')).toBe(true);
  });
});
