/** Choices that only look random: the same seed makes the same ones. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(min: number, max: number): number;
  /** One of the keys; those with a greater weight more often. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
  /** Another one, whose choices do not depend on how many this one has made. */
  fork(name: string): Random;
}

export function seeded(seed: string): Random {
  let state = hash(seed);
  // Mulberry32: small, and good enough to choose who dies next.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    weighted: (weights) => {
      const keys = Object.keys(weights) as (keyof typeof weights)[];
      let left = next() * keys.reduce((sum, key) => sum + weights[key], 0);
      for (const key of keys) {
        left -= weights[key];
        if (left < 0) return key;
      }
      throw new Error('There is nothing to choose from.');
    },
    fork: (name) => seeded(`${seed}/${name}`),
  };
}

function hash(text: string): number {
  let value = 2_166_136_261;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return value;
}
