import { z } from 'zod';

/**
 * Primitives of the wire: both doors carry the same snake_case JSON, so each shape is written once here.
 * Query strings only carry text; `queryInt` and `queryBool` read it exactly, where `z.coerce` would guess.
 */

/** A UUID in its 8-4-4-4-12 hexadecimal form; any version, since the zero UUID has a meaning on some paths. */
export const uuid = () => z.guid();

const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z');

const LAST_INSTANT = Date.parse('9999-12-31T00:00:00Z');
/** PostgreSQL takes no offset of 16 hours and more; no place on Earth has one. */
const FAR_OFFSET = /[+-](1[6-9]|2\d):\d\d$/;

/** Whether JavaScript and PostgreSQL both read the instant, and write it with a year of four digits. */
function isKeepable(text: string): boolean {
  if (!text.endsWith('Z') && FAR_OFFSET.test(text)) return false;
  if (text > '0002' && text < '9999') return true;
  const instant = Date.parse(text);
  return instant >= FIRST_INSTANT && instant < LAST_INSTANT;
}

/** An ISO 8601 instant, as text; from the year 1 until the end of 9999. */
export const timestamp = () =>
  z.iso.datetime({ offset: true }).refine(isKeepable, 'must be in the years 1 to 9999, with an offset of less than 16 hours');

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** A boolean from a query string: `1 t T TRUE true True` and their opposites; anything else is refused. */
export const queryBool = () =>
  z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    if (TRUE.has(value)) return true;
    if (FALSE.has(value)) return false;
    return value;
  }, z.boolean());

/** A decimal integer from a query string, within `[min, max]`. */
export const queryInt = (min: number, max: number) =>
  z.preprocess((value) => (typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value), z.int().min(min).max(max));

/** A list from a query string: `k=a,b` and `k=a&k=b` alike; at most `max` entries. */
export const queryList = <T extends z.ZodType>(item: T, max: number) =>
  z.preprocess((value) => {
    if (typeof value === 'string') return value.split(',').filter((part) => part !== '');
    return value;
  }, z.array(item).max(max));

/** `limit` of a list: 0 or absent means the default; more than `max` is refused, so that every list is bounded. */
export const pageLimit = (fallback: number, max: number) =>
  queryInt(0, max)
    .optional()
    .transform((limit) => (limit === undefined || limit === 0 ? fallback : limit))
    .meta({ description: `Rows at most; 0 or absent means ${fallback}, the maximum is ${max}.` });

export const pageOffset = () => queryInt(0, 2_147_483_647).optional().default(0).meta({ description: 'Rows to skip.' });

/** The body of every error on REST. */
export const ErrorBody = z
  .object({
    message: z.string(),
    detail: z.string(),
    validations: z.array(z.object({ field: z.string(), detail: z.string() })),
  })
  .meta({ id: 'Error', description: 'Why the request was refused.' });
