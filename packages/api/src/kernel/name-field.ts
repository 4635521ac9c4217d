import type { NameKind } from '@berth/domain';
import { nameProblem } from '@berth/domain';
import { z } from 'zod';

/** A name in an input, held to the rule of its kind. Browser-safe: forms validate with it too. */
export function nameField(kind: NameKind): z.ZodString {
  return z
    .string()
    .max(1000)
    .check((ctx) => {
      const problem = nameProblem(kind, ctx.value);
      if (problem !== null) ctx.issues.push({ code: 'custom', message: problem, input: ctx.value });
    });
}
