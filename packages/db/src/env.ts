/** The environment of the PostgreSQL programs: nothing of ours (no PG* defaults, no secrets), messages in English. */
export function programEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}
