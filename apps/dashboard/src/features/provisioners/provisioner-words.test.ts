import { expect, test } from 'vitest';
import { tagsOf } from './provisioner-words.ts';

test('tags are read from lines and commas, and a text that is no tag is refused', () => {
  expect(tagsOf('')).toEqual({});
  expect(tagsOf('gpu=yes, zone = x')).toBeNull();
  expect(tagsOf('gpu=yes, zone=a\nempty=')).toEqual({ gpu: 'yes', zone: 'a', empty: '' });
});
