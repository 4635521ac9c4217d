import type { ShownLine } from './log-lines.ts';

/** A place in a log that an address can name. */
export type LogTarget =
  | { readonly kind: 'line'; readonly number: number }
  | { readonly kind: 'stage'; readonly stage: string }
  | { readonly kind: 'error' };

const LINE_MAX = 10_000_000;

/** The place as the fragment of an address, without `#`: `L120`, `stage-apply`, `error`. */
export function fragmentOf(target: LogTarget): string {
  switch (target.kind) {
    case 'line':
      return `L${target.number}`;
    case 'stage':
      return `stage-${encodeURIComponent(target.stage)}`;
    case 'error':
      return 'error';
  }
}

/** What a fragment names; null for one that names no place in a log. */
export function targetOf(fragment: string): LogTarget | null {
  const text = fragment.replace(/^#/, '');
  if (text === 'error') return { kind: 'error' };
  if (text.startsWith('stage-')) return { kind: 'stage', stage: decoded(text.slice('stage-'.length)) };
  const number = Number(/^L(\d{1,8})$/.exec(text)?.[1] ?? 0);
  return number >= 1 && number <= LINE_MAX ? { kind: 'line', number } : null;
}

/** The number of the line that a place is in this log, from 1; null while the log has no such line. */
export function lineOf(target: LogTarget, lines: readonly ShownLine[]): number | null {
  if (target.kind === 'line') return target.number <= lines.length ? target.number : null;
  const index = lines.findIndex(({ level, stage }) => (target.kind === 'error' ? level === 'error' : stage === target.stage));
  return index === -1 ? null : index + 1;
}

/** Somebody may have typed it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
