import type { AgentPrincipal } from '../kernel/context.ts';
import type { Call } from '../kernel/procedures.ts';

/** A use case of an agent about itself: every statement finds its rows by the principal's own id, never by an id that it sent. */
export interface AgentCall extends Call {
  readonly principal: AgentPrincipal;
}

/** PostgreSQL keeps no NUL in text; programs print them. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

/** The text cut to `max` bytes of UTF-8, never within a character. */
export function cutBytes(text: string, max: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= max) return text;
  // A character that was cut decodes to one replacement character at the end.
  return bytes
    .subarray(0, max)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
}
