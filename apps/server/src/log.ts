import type { Logger } from 'pino';
import { pino } from 'pino';
import { build as prettyStream } from 'pino-pretty';

const REDACTED = [
  'req.headers.cookie',
  'req.headers.authorization',
  'req.headers["service-session-token"]',
  '*.password',
  '*.token',
  '*.key',
];

/** JSON lines for machines; short coloured ones when a person looks. Credentials never enter a line. */
export function createLogger(level: string, { isInteractive }: { isInteractive: boolean }): Logger {
  const options = { level, redact: { paths: REDACTED, censor: '•••' }, base: null };
  if (!isInteractive) return pino(options);
  return pino(options, prettyStream({ colorize: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', sync: true }));
}
