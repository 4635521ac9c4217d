import { z } from 'zod';

import { CliError, EXIT } from './errors.ts';

const Refusal = z.object({
  message: z.string(),
  detail: z.string().optional(),
  validations: z.array(z.object({ field: z.string(), detail: z.string() })).optional(),
});

const EXITS: Readonly<Record<number, (typeof EXIT)[keyof typeof EXIT]>> = {
  400: EXIT.usage,
  401: EXIT.notSignedIn,
  403: EXIT.refused,
  404: EXIT.notFound,
  413: EXIT.usage,
  429: EXIT.unavailable,
  503: EXIT.unavailable,
};

/** What a route that is no typed call refused, in the server's words. */
export async function refused(response: Response): Promise<CliError> {
  const said = Refusal.safeParse(await response.json().catch(() => undefined));
  const message = said.success ? [said.data.message, said.data.detail ?? ''].join(' ').trim() : `The server answered ${response.status}.`;
  return new CliError(EXITS[response.status] ?? EXIT.failed, message, { problems: said.data?.validations ?? [] });
}
