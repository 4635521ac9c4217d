import { z } from 'zod';

/** The body of operations that only confirm what they did. `detail` and `validations` are empty on success. */
export const Confirmation = z
  .object({
    message: z.string(),
    detail: z.string(),
    validations: z.array(z.object({ field: z.string(), detail: z.string() })),
  })
  .meta({ id: 'Response', description: 'A plain confirmation.' });
export type Confirmation = z.output<typeof Confirmation>;

export function confirmed(message: string): Confirmation {
  return { message, detail: '', validations: [] };
}
