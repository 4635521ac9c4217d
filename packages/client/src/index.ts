export { createClient } from './http-client.ts';
export type { Client, ClientOptions, Headers } from './http-client.ts';
export { backoff } from './backoff.ts';
export type { Backoff, BackoffOptions } from './backoff.ts';
export { errorOf } from './error-of.ts';
export type { ClientError, ClientErrorKind } from './error-of.ts';
export { createSocketClient } from './socket-client.ts';
export type { SocketClient, SocketClientOptions, SocketConstructor } from './socket-client.ts';
