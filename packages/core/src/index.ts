export * from './clock.ts';
export * from './counted.ts';
export * from './errors.ts';
export * from './ids.ts';
export * from './local-path.ts';
export * from './secret.ts';
export * from './tls-reason.ts';
export * from './wire.ts';
import './input-rules.ts';
