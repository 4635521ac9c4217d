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
