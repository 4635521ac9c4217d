import { z } from 'zod';

/**
 * The kinds of text in `berth.yaml`. Values are filled in with `${{ parameters.x }}` and the like, as data: `fixed`, `shell` and `data` say
 * where that is possible.
 */

const OPEN = '${{';

/** Text that takes part in deciding what is made: it is the same for everyone. */
export const fixed = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes(OPEN), { error: 'is fixed text: ${{ … }} cannot be used here' });

/** Text that a shell reads: a value in it would be read as code, so values come as environment variables only. */
export const shell = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes(OPEN), {
      error: '${{ … }} cannot be used in a command: a value would become code. Use the environment, for instance "$BERTH_PARAM_NAME"',
    });

/** Text in which `${{ … }}` is replaced. */
export const data = (max: number) => z.string().max(max);

export const identifier = (max: number) =>
  fixed(max).regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/,
    'must be letters, digits, hyphens and underscores, with a letter or digit at both ends',
  );
export const displayName = () => fixed(128).default('').describe('What people read instead of the name.');
export const icon = () => fixed(1024).default('').describe('A path on this server, such as /icon/node.svg, or an address.');
export const order = () => z.int().min(-10_000).max(10_000).default(0).describe('Lower comes first.');
export const seconds = (fallback: number) => z.int().min(0).max(31_536_000).default(fallback);
export const scalar = () => z.union([fixed(8192), z.number(), z.boolean()]);
export const metadataKey = () =>
  fixed(64).regex(/^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$/, 'must be letters, digits, dots, hyphens and underscores');

const ENVIRONMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Names that are the server's own are not for templates. */
export const environment = () =>
  z
    .record(
      z
        .string()
        .max(128)
        .regex(ENVIRONMENT_NAME, 'must be letters, digits and underscores')
        .refine((name) => !name.startsWith('BERTH_'), { error: "must not start with BERTH_, which is the server's own" }),
      z.union([data(8192), z.number(), z.boolean()]),
    )
    .default({});
