export { createTestDatabase, createTestDatabaseUrl } from '@berth/db/testing';
export type { TestDatabase } from '@berth/db/testing';
export * from './given/index.ts';
