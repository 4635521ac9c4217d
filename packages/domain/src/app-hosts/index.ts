export * from './app-host.ts';
export * from './wildcard-host.ts';
