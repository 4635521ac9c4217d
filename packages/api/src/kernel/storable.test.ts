import { describe, expect, it } from 'vitest';
import { unstorable } from './storable.ts';

describe('text that PostgreSQL cannot hold', () => {
  it('is found wherever it is, and named by its field', () => {
    const input = { name: 'a\u0000b', fine: 'ok', deep: [{ value: '\u0000' }], tags: { 'x\u0000': 'y' } };
    expect(unstorable(input).map((problem) => problem.field)).toEqual(['name', 'deep.0.value', 'tags.x']);
    expect(unstorable('\u0000')).toHaveLength(1);
    expect(unstorable({ half: '\ud800', '\udc00\u0000': '\u0000' }).map((problem) => problem.field)).toEqual(['half', '\ufffd']);
  });

  it('is nothing else', () => {
    expect(unstorable({ a: 'é\u0001\ud83d\ude00', b: [1, null, true, undefined], c: new Uint8Array(3) })).toEqual([]);
    expect(unstorable(undefined)).toEqual([]);
  });
});
