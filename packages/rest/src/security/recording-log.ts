import { inspect } from 'node:util';
import type { Services } from '@berth/api/server';
import type { FastifyBaseLogger } from 'fastify';

export interface RecordingLog {
  /** Everything that was logged, at any level, as an operator might see it, errors with their causes and stacks. */
  readonly lines: string[];
  readonly log: Services['log'];
  readonly http: FastifyBaseLogger;
}

/** A log that keeps its lines. */
export function recordingLog(): RecordingLog {
  const lines: string[] = [];
  const write = (...parts: unknown[]): void => void lines.push(parts.map((part) => inspect(part, { depth: 20 })).join(' '));
  const log = { debug: write, info: write, warn: write, error: write };
  const http: FastifyBaseLogger = { ...log, trace: write, fatal: write, silent: () => undefined, level: 'trace', child: () => http };
  return { lines, log, http };
}
