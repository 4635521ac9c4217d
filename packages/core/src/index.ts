export * from './clock.ts';
export * from './errors.ts';
export * from './ids.ts';
export * from './local-path.ts';
export * from './secret.ts';
export * from './wire.ts';
