import { stripVTControlCharacters } from 'node:util';

/** How Terraform frames a message: a corner, a bar before each line, a corner. A line with no text is a bar alone. */
const FRAME = /[╷╵]|^[ \t]*│ ?/gmu;

/** Text as Terraform or a provider wrote it, without colors and frames. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replaceAll(FRAME, '');
}

/** The same on one line: its frames are removed first, since they mean nothing once lines are joined. */
export function onOneLine(text: string): string {
  return plainText(text).replaceAll(/\s+/g, ' ').trim();
}

/**
 * The errors of what a failed command wrote to stderr, one line each. Warnings are left out: Terraform prints those of its CLI
 * configuration with every command, also with one that succeeds. Text without a headline of Terraform's is one error.
 */
export function errorsOfStderr(text: string): string[] {
  const plain = plainText(text);
  const blocks = plain.split(/^(?=(?:Error|Warning): )/mu);
  const errors = blocks.filter((block) => block.startsWith('Error: '));
  if (errors.length > 0) return errors.map(sentenceOf);
  const other = blocks.filter((block) => !block.startsWith('Warning: ')).join('');
  const isOnlyHeading = blocks.length > 1 && /^There are some problems with the CLI configuration:\s*$/u.test(other);
  const line = isOnlyHeading ? '' : onOneLine(other);
  return line === '' ? [] : [line];
}

function sentenceOf(block: string): string {
  const [headline = '', ...rest] = block.slice('Error: '.length).split(/\n\s*\n/u);
  const detail = onOneLine(rest.join(' '));
  return detail === '' ? onOneLine(headline) : `${onOneLine(headline)}: ${detail}`;
}
