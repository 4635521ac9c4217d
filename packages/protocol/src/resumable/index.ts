export { connectResumable } from './connect.ts';
export type { ConnectResumableOptions, ResumableState } from './connect.ts';
export { ResumableHost } from './host.ts';
export type { ResumableHostOptions } from './host.ts';
export type { ResumableStream } from './stream.ts';
