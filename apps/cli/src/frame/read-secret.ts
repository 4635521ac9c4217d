import { usageError } from './errors.ts';
import type { Io } from './io.ts';

const SECRET_MAX = 16 * 1024;

/** The first line of standard input, without its end. */
export async function readSecret({ stdin }: Pick<Io, 'stdin'>, what: string): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.includes('\n') || text.length > SECRET_MAX) break;
  }
  const secret = text.split(/\r?\n/, 1)[0] ?? '';
  if (secret === '') throw usageError(`No ${what} on standard input.`);
  return secret;
}
