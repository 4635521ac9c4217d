import { parseArgs } from 'node:util';

import { usageError } from '../frame/errors.ts';

/** Options of `berth ssh` that may also stand behind the workspace, as with ssh; `many` for those that take a value and may come again. */
const LATE = {
  'forward-agent': { type: 'boolean', short: 'A' },
  'local-forward': { type: 'string', short: 'L', multiple: true },
  'remote-forward': { type: 'string', short: 'R', multiple: true },
  tty: { type: 'boolean', short: 't' },
  'no-command': { type: 'boolean', short: 'N' },
  env: { type: 'string', short: 'e', multiple: true },
  yes: { type: 'boolean', short: 'y' },
  'no-autostart': { type: 'boolean' },
  stdio: { type: 'boolean' },
} as const;

/** What stands between a workspace and its command: the options, and the command that is left. @throws CliError for an option that is none. */
export function lateOptions(words: readonly string[]) {
  const { tokens } = parseArgs({ args: [...words], options: LATE, strict: false, allowPositionals: true, tokens: true });
  const begin = tokens.find(({ kind }) => kind !== 'option');
  const options = words.slice(0, begin?.index ?? words.length);
  const command = begin === undefined ? [] : words.slice(begin.kind === 'option-terminator' ? begin.index + 1 : begin.index);
  try {
    return { values: parseArgs({ args: options, options: LATE, strict: true }).values, command };
  } catch (cause) {
    throw usageError(cause instanceof Error ? (cause.message.split('. ')[0] ?? '') : 'Invalid option.', {
      cause,
      next: 'Options go before the workspace, the command after it.',
    });
  }
}
