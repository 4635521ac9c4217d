import { expect, test } from 'vitest';
import { withoutFrontMatter } from './front-matter.ts';

test('front matter is left out, and lines of dashes further down stay', () => {
  expect(withoutFrontMatter('---\ntitle: x\n---\n\n# Hello\n\n---\n\nend')).toBe('\n# Hello\n\n---\n\nend');
  expect(withoutFrontMatter('---\r\ntitle: x\r\n---\r\n# Hello')).toBe('# Hello');
  expect(withoutFrontMatter('# Hello\n\n---\n\nmore\n---\n')).toBe('# Hello\n\n---\n\nmore\n---\n');
});
