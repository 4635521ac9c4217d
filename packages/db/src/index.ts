export { openBus } from './bus.ts';
export type { Bus, BusOptions, Channel, WaitOptions } from './bus.ts';
export { openDatabase } from './client.ts';
export type { Database, DatabaseOptions, Tx } from './client.ts';
export * from './errors.ts';
export * from './generated/client.ts';
export { migrate, migrationsDir } from './migrate.ts';
export type { MigrateOptions } from './migrate.ts';
export { DatabaseStartError } from './start-error.ts';
