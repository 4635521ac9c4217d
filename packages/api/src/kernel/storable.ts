import type { Validation } from '@berth/core';
import { invalid } from '@berth/core';
import { t } from './trpc.ts';

const NUL = '\u0000';
const RULE = 'must be Unicode text without the character U+0000';

/** Refuses text that PostgreSQL cannot hold, wherever in the input it is, so that it never becomes an internal error. */
export const storable = t.middleware(async ({ getRawInput, next }) => {
  const problems = unstorable(await getRawInput());
  if (problems.length > 0) throw invalid('Validation failed.', problems);
  return next();
});

/** The fields of a value whose text, or whose own name, holds U+0000 or half of a surrogate pair; each field once. */
export function unstorable(input: unknown): Validation[] {
  const fields = new Set<string>();
  const left: { value: unknown; field: string }[] = [{ value: input, field: '' }];
  for (let item = left.pop(); item !== undefined; item = left.pop()) {
    const { value, field } = item;
    if (typeof value === 'string') {
      if (!isStorable(value)) fields.add(field);
      continue;
    }
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    for (const [key, part] of Object.entries(value)) {
      const shown = key.replaceAll(NUL, '').toWellFormed();
      const inner = field === '' ? shown : `${field}.${shown}`;
      if (!isStorable(key)) fields.add(inner);
      left.push({ value: part, field: inner });
    }
  }
  return [...fields].toReversed().map((field) => ({ field, detail: RULE }));
}

function isStorable(text: string): boolean {
  return !text.includes(NUL) && text.isWellFormed();
}
