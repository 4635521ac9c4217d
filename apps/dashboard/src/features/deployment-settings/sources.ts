/** Settings that somebody made, and those that are so by default. */
export const SOURCES = ['set', 'default'] as const;
export type Source = (typeof SOURCES)[number];
