import { defineConfig } from 'vitest/config';

/** Files share a worker's modules: reading them anew for each file took as long as the tests do. What a file changes, it undoes. */
const isolate = false;

/** As the browser tests: on CI a failed test runs once more, and is reported as flaky when it then passes. */
const retry = process.env['CI'] === undefined ? 0 : 1;

const withDatabase = ['{packages,apps}/**/src/**/*.{db,api}.test.ts'];

/** `unit`: no IO beyond the process. `db`: a real PostgreSQL, one database per test file, started only when such a file runs. */
export default defineConfig({
  test: {
    // Each of the two processors runs one file; an idle third helps while they wait for PostgreSQL.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'unit',
          isolate,
          retry,
          include: ['{packages,apps}/**/src/**/*.test.{ts,tsx}', '{bench,seed}/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...withDatabase, '**/node_modules/**', '**/dist/**'],
          testTimeout: 10_000,
        },
      },
      {
        test: {
          name: 'db',
          isolate,
          retry,
          include: withDatabase,
          globalSetup: ['packages/db/src/testing/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
