import type { Validation } from '@berth/core';
import { invalid } from '@berth/core';
import { t } from './trpc.ts';

const NUL = '\u0000';

/** Refuses text that PostgreSQL cannot hold, wherever in the input it is, so that it never becomes an internal error. */
export const storable = t.middleware(async ({ getRawInput, next }) => {
  const problems = unstorable(await getRawInput());
  if (problems.length > 0) throw invalid('Validation failed.', problems);
  return next();
});

/** The texts and names in a value that hold U+0000. */
export function unstorable(input: unknown): Validation[] {
  const problems: Validation[] = [];
  const left: { value: unknown; field: string }[] = [{ value: input, field: '' }];
  for (let item = left.pop(); item !== undefined; item = left.pop()) {
    const { value, field } = item;
    if (typeof value === 'string') {
      if (value.includes(NUL)) problems.push({ field, detail: 'Must not contain the character U+0000.' });
      continue;
    }
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    for (const [key, part] of Object.entries(value)) {
      const inner = field === '' ? key : `${field}.${key}`;
      if (key.includes(NUL)) problems.push({ field: inner.replaceAll(NUL, ''), detail: 'Its name must not contain the character U+0000.' });
      left.push({ value: part, field: inner.replaceAll(NUL, '') });
    }
  }
  return problems.toReversed();
}
