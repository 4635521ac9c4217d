import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derivedKey, hashToken, randomToken, tokenMatches } from './secrets.ts';

describe('a random token', () => {
  it('has the length that was asked for, of letters and digits only', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), (length) => {
        expect(randomToken(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`));
      }),
    );
  });

  it('never comes twice', () => {
    expect(new Set(Array.from({ length: 2000 }, () => randomToken(22))).size).toBe(2000);
  });

  it('has each character equally often', () => {
    const counts = new Map<string, number>();
    const drawn = 62 * 4000;
    for (const character of randomToken(drawn)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // Chi-squared with 61 degrees of freedom passes 130 once in a million draws; a plain modulo of a byte gives thousands.
    const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - 4000) ** 2 / 4000, 0);
    expect(chiSquared).toBeLessThan(130);
  });
});

describe('a token', () => {
  it('matches its own hash and no other', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (token, other) => {
        expect(tokenMatches(token, hashToken(token))).toBe(true);
        expect(tokenMatches(other, hashToken(token))).toBe(other === token);
      }),
    );
  });

  it('is not told by its hash, which has the size of SHA-256', () => {
    expect(hashToken('secret')).toHaveLength(32);
    expect(Buffer.from(hashToken('secret')).toString()).not.toContain('secret');
  });

  it('matches no hash of another length', () => {
    for (const hash of [new Uint8Array(), hashToken('a').subarray(0, 31), new Uint8Array([...hashToken('a'), 0])]) {
      expect(tokenMatches('a', hash)).toBe(false);
    }
  });
});

describe('a derived key', () => {
  const secret = new Uint8Array(32).fill(1);

  it('is the same for the same secret and use, and another for each other', () => {
    expect(derivedKey(secret, 'a')).toEqual(derivedKey(secret, 'a'));
    expect(derivedKey(secret, 'a')).not.toEqual(derivedKey(secret, 'b'));
    expect(derivedKey(new Uint8Array(32).fill(2), 'a')).not.toEqual(derivedKey(secret, 'a'));
    expect(derivedKey(secret, 'a', 64)).toHaveLength(64);
  });
});
