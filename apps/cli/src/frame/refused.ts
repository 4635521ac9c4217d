import { z } from 'zod';

import { CliError, requestIdNote } from './errors.ts';
import { exitOf, kindOfStatus } from './exit-codes.ts';

const ErrorBody = z.object({
  message: z.string(),
  detail: z.string().optional(),
  validations: z.array(z.object({ field: z.string(), detail: z.string() })).optional(),
});

/** The error of a route that is not a typed call, in the server's words. */
export async function refused(response: Response): Promise<CliError> {
  const body = ErrorBody.safeParse(await response.json().catch(() => undefined));
  const message = body.success ? [body.data.message, body.data.detail ?? ''].join(' ').trim() : `The server answered ${response.status}.`;
  const validations = body.data?.validations ?? [];
  return new CliError(exitOf({ kind: kindOfStatus(response.status), validations }), message, {
    problems: validations,
    ...(response.status >= 500 ? requestIdNote(response.headers.get('x-request-id') ?? '') : {}),
  });
}
