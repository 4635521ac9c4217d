export * from './limits.ts';
export * from './policy-effects.ts';
