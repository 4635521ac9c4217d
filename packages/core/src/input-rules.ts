import { z } from 'zod';

/**
 * The rule that a value breaks, phrased to follow the name of the field: "is required", "must be text". The only
 * wording of what a schema rejects without a message of its own, for every transport, the settings and the command line.
 */
function brokenRule(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.expected === 'nonoptional' ? REQUIRED : (TYPES[issue.expected] ?? 'is of the wrong type');
    case 'invalid_value':
      return issue.input === undefined ? REQUIRED : oneOf(issue.values);
    case 'invalid_format':
      return formatRule(issue);
    case 'too_big':
      return sizeRule(issue.origin, issue.exact ? EXACTLY : MAXIMUM[issue.inclusive === false ? 'exclusive' : 'inclusive'], issue.maximum);
    case 'too_small':
      if (issue.origin === 'string' && !issue.exact && Number(issue.minimum) === 1) return 'must not be empty';
      return sizeRule(issue.origin, issue.exact ? EXACTLY : MINIMUM[issue.inclusive === false ? 'exclusive' : 'inclusive'], issue.minimum);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has the unknown ${issue.keys.length === 1 ? 'key' : 'keys'} ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
    case 'invalid_key':
      return `has an invalid key: it ${issue.issues[0]?.message ?? INVALID}`;
    case 'invalid_element':
      return `has an invalid item: it ${issue.issues[0]?.message ?? INVALID}`;
    case 'invalid_union':
      return unionRule(issue);
    case 'custom':
      return INVALID;
  }
}

z.config({ localeError: brokenRule });

const REQUIRED = 'is required';
const INVALID = 'is invalid';

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  nan: 'must be a number',
  int: 'must be a whole number',
  bigint: 'must be a whole number',
  boolean: 'must be true or false',
  date: 'must be a date',
  array: 'must be a list',
  tuple: 'must be a list',
  set: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
  map: 'must be an object',
  file: 'must be a file',
  null: 'must be null',
  never: 'must be absent',
  undefined: 'must be absent',
  void: 'must be absent',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be an email address',
  url: 'must be a URL',
  uuid: 'must be a UUID',
  guid: 'must be a UUID',
  datetime: 'must be a time such as 2026-01-31T08:00:00Z',
  date: 'must be a date such as 2026-01-31',
  time: 'must be a time of day such as 08:00:00',
  duration: 'must be an ISO 8601 duration such as PT8H',
  ipv4: 'must be an IPv4 address',
  ipv6: 'must be an IPv6 address',
  cidrv4: 'must be an IPv4 network such as 10.0.0.0/8',
  cidrv6: 'must be an IPv6 network such as fd00::/8',
  base64: 'must be base64',
  base64url: 'must be base64url',
  json_string: 'must be JSON',
};

function formatRule(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>): string {
  const { format } = issue;
  if (format === 'starts_with') return `must start with "${String(issue['prefix'])}"`;
  if (format === 'ends_with') return `must end with "${String(issue['suffix'])}"`;
  if (format === 'includes') return `must contain "${String(issue['includes'])}"`;
  if (format === 'regex') return `must match ${issue.pattern ?? 'a pattern'}`;
  return FORMATS[format] ?? 'has the wrong format';
}

type Bound = Readonly<{ size: string; amount: string }>;
const EXACTLY: Bound = { size: 'exactly', amount: 'exactly' };
const MAXIMUM: Readonly<Record<'inclusive' | 'exclusive', Bound>> = {
  inclusive: { size: 'at most', amount: 'at most' },
  exclusive: { size: 'fewer than', amount: 'less than' },
};
const MINIMUM: Readonly<Record<'inclusive' | 'exclusive', Bound>> = {
  inclusive: { size: 'at least', amount: 'at least' },
  exclusive: { size: 'more than', amount: 'greater than' },
};

/** What is counted in a value that has a size, once and several times. */
const COUNTED: Readonly<Record<string, readonly [one: string, several: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  tuple: ['item', 'items'],
  set: ['item', 'items'],
  map: ['entry', 'entries'],
  record: ['entry', 'entries'],
  object: ['entry', 'entries'],
  file: ['byte', 'bytes'],
};

function sizeRule(origin: string, { size, amount }: Bound, limit: number | bigint): string {
  const counted = COUNTED[origin];
  if (counted !== undefined) return `must have ${size} ${limit} ${Number(limit) === 1 ? counted[0] : counted[1]}`;
  // A date's limit is in milliseconds.
  return `must be ${amount} ${origin === 'date' ? new Date(Number(limit)).toISOString() : limit}`;
}

function oneOf(values: readonly unknown[]): string {
  const shown = values.map(String);
  return shown.length === 1 ? `must be ${shown[0]}` : `must be one of ${shown.join(', ')}`;
}

/** The rule of the alternative that was meant, as far as the value's type tells; else all of them. */
function unionRule(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (issue.input === undefined) return REQUIRED;
  if (Array.isArray(issue.options)) return isMissing(issue.input, issue.discriminator) ? REQUIRED : oneOf(issue.options);
  const isOfType = (reasons: readonly z.core.$ZodIssue[]): boolean =>
    reasons.every(({ code, path }) => path.length > 0 || (code !== 'invalid_type' && code !== 'invalid_value'));
  const meant = issue.errors.find((reasons) => reasons.length > 0 && isOfType(reasons));
  if (meant !== undefined) return [...new Set(meant.map(located))].join('; ');
  return [...new Set(issue.errors.flat().map(located))].join(' or ').replaceAll(' or must be ', ' or ') || INVALID;
}

function isMissing(input: unknown, key: unknown): boolean {
  return typeof input === 'object' && input !== null && typeof key === 'string' && !(key in input);
}

function located({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')} ${message}`;
}
