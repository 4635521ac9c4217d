import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SealError, createSealer, newSealingKey } from './sealer.ts';

const key = newSealingKey();
const sealer = createSealer([key]);

it('opens what it sealed, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      expect(sealer.open(sealer.seal(text, context), context)).toBe(text);
    }),
  );
});

it('refuses a value of another place, a changed byte anywhere, and a value cut short', () => {
  const sealed = sealer.seal('secret', 'row 1');
  expect(() => sealer.open(sealed, 'row 2')).toThrow(SealError);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = sealed.map((byte, index) => (index === at ? byte ^ 1 : byte));
    expect(() => sealer.open(changed, 'row 1')).toThrow(SealError);
    expect(() => sealer.open(sealed.subarray(0, at), 'row 1')).toThrow(SealError);
  }
});

it('seals the same text differently each time', () => {
  expect(sealer.seal('secret', 'a')).not.toEqual(sealer.seal('secret', 'a'));
});

it('opens with an older key, and says that the value should be sealed again', () => {
  const rotated = createSealer([newSealingKey(), key]);
  const old = sealer.seal('secret', 'a');
  expect(rotated.open(old, 'a')).toBe('secret');
  expect(rotated.isCurrent(old)).toBe(false);
  const anew = rotated.seal('secret', 'a');
  expect(rotated.isCurrent(anew)).toBe(true);
  expect(anew.subarray(0, rotated.keyId.length)).toEqual(rotated.keyId);
});

it('refuses a value whose key is gone', () => {
  expect(() => createSealer([newSealingKey()]).open(sealer.seal('secret', 'a'), 'a')).toThrow(SealError);
});

it('takes keys of 32 bytes only, and at least one', () => {
  expect(() => createSealer([])).toThrow('at least one');
  expect(() => createSealer(['c2hvcnQ='])).toThrow('32 bytes');
});
