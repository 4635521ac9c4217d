export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The daemon's own log: one JSON object a line on standard output, which the server takes over into its own. */
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;

export const writeLog: Log = (level, message, fields = {}) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), level, component: 'provisioner', message, ...fields })}\n`);
};

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
