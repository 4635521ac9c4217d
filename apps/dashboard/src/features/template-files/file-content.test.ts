import { expect, test } from 'vitest';
import { TEXT_BYTES_MAX, contentOf, sizeWords } from './file-content.ts';

const file = (bytes: Uint8Array<ArrayBuffer>, link?: string) => ({ path: 'a', bytes, ...(link === undefined ? {} : { link }) });

test('text is UTF-8; what has a NUL or broken characters is binary', () => {
  expect(contentOf(file(new Uint8Array(new TextEncoder().encode('größer\n'))))).toEqual({ kind: 'text', text: 'größer\n' });
  expect(contentOf(file(new Uint8Array([65, 0, 66])))).toEqual({ kind: 'binary' });
  expect(contentOf(file(new Uint8Array([65, 0xff, 0xfe])))).toEqual({ kind: 'binary' });
  expect(contentOf(file(new Uint8Array()))).toEqual({ kind: 'text', text: '' });
});

test('a text is kept byte for byte, its byte order mark too', () => {
  expect(contentOf(file(new Uint8Array([0xef, 0xbb, 0xbf, 65])))).toEqual({ kind: 'text', text: '\ufeffA' });
});

test('a text that is too long, and a link, are not shown as text', () => {
  expect(contentOf(file(new Uint8Array(TEXT_BYTES_MAX + 1).fill(65)))).toEqual({ kind: 'large' });
  expect(contentOf(file(new Uint8Array(), 'berth.yaml'))).toEqual({ kind: 'link', target: 'berth.yaml' });
});

test('sizes are in units that people read', () => {
  expect([512, 1434, 20_480, 3_500_000].map(sizeWords)).toEqual(['512 B', '1.4 KiB', '20 KiB', '3.3 MiB']);
});
