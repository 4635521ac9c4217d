/** The environment of the PostgreSQL programs: nothing of ours (no PG* defaults, no secrets), messages in English. */
export function programEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

/** Whether the databases of failed tests stay, for a person to look into. */
export function keepsTestDatabases(): boolean {
  return process.env['BERTH_KEEP_TEST_DATABASES'] === '1';
}

/** Whether the database tests run on a PostgreSQL that has another default for everything that Berth relies on. `npm test` runs them on both. */
export function testsElsewhere(): boolean {
  return process.env['BERTH_TEST_DATABASE'] === 'elsewhere';
}
