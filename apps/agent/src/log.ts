import { inspect } from 'node:util';

/** The agent's own log: one line on stderr for whoever started it. What scripts print goes to the server instead. */
export type Log = (level: 'info' | 'warn' | 'error', message: string, error?: unknown) => void;

export const stderrLog: Log = (level, message, error) => {
  const cause = error === undefined ? '' : `: ${error instanceof Error ? error.message : inspect(error)}`;
  process.stderr.write(`${new Date().toISOString()} ${level} ${message}${cause}\n`);
};
