import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isUntagged, normalizeTags, tagsMatch, tagsProblem } from './tags.ts';

const untagged = { scope: 'organization', owner: '' };

test('scope and owner always agree', () => {
  expect(normalizeTags({}, 'u')).toEqual(untagged);
  expect(normalizeTags({ scope: 'user', owner: 'x', gpu: 'yes' }, 'u')).toEqual({ scope: 'user', owner: 'u', gpu: 'yes' });
  expect(normalizeTags({ scope: 'organization', owner: 'x' }, 'u')).toEqual(untagged);
  expect(normalizeTags({ scope: 'planet' }, 'u')).toEqual(untagged);
});

test('a daemon takes jobs whose tags it has; untagged jobs go to untagged daemons only', () => {
  const gpu = { ...untagged, gpu: 'yes' };
  expect(tagsMatch(untagged, untagged)).toBe(true);
  expect(tagsMatch(gpu, { ...gpu, zone: 'a' })).toBe(true);
  expect(tagsMatch(gpu, untagged)).toBe(false);
  expect(tagsMatch(untagged, gpu)).toBe(false);
  expect(tagsMatch({ scope: 'user', owner: 'u' }, { scope: 'user', owner: 'v' })).toBe(false);
});

test('normalising twice changes nothing, and a daemon always takes a job with its own tags', () => {
  const tags = fc.dictionary(fc.constantFrom('scope', 'owner', 'gpu', 'zone'), fc.constantFrom('user', 'organization', '', 'x'));
  fc.assert(
    fc.property(tags, (given) => {
      const once = normalizeTags(given, 'u');
      expect(normalizeTags(once, 'u')).toEqual(once);
      expect(tagsMatch(once, once)).toBe(true);
      if (isUntagged(once)) expect(tagsMatch(once, { ...once, gpu: 'only' })).toBe(false);
    }),
  );
});

test('tags hold no NUL characters, which the database cannot store', () => {
  expect(tagsProblem({ a: 'b' })).toBeNull();
  expect(tagsProblem({ a: 'b\0' })).not.toBeNull();
  expect(tagsProblem({ 'a\0': 'b' })).not.toBeNull();
});
