import { expect, it } from 'vitest';
import { formatError } from './errors.ts';
import { refused } from './refused.ts';

const answer = (status: number) =>
  new Response(JSON.stringify({ message: 'It failed.', detail: '', validations: [] }), {
    status,
    headers: { 'x-request-id': 'request-1' },
  });

it.each([500, 503])('a failure of the server with status %i is printed with its request ID', async (status) => {
  expect(formatError(await refused(answer(status)))).toBe('error: It failed.\nRequest ID: request-1\n');
});

it('a refusal of what the caller did needs no request ID', async () => {
  expect(formatError(await refused(answer(403)))).toBe('error: It failed.\n');
});
