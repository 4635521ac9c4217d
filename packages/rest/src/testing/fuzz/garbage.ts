import fc from 'fast-check';

/** Texts that have broken servers before: NUL, halves of surrogate pairs, direction marks, patterns of SQL and paths, names of prototypes. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfff',
  '\udc00\ud800',
  '\ufeff',
  '\u202egnp.exe',
  'e\u0301\u0301\u0301',
  '👩‍👩‍👧‍👦',
  '\u001b[31mred\u001b[0m',
  '\r\nSet-Cookie: a=b',
  "'; DROP TABLE users; --",
  '" OR 1=1 --',
  '$1',
  '%',
  '_',
  '%%%',
  '\\',
  'a\\',
  '\\u0000',
  '../../../etc/passwd',
  '..',
  '.',
  '/',
  '//',
  'C:\\windows',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://169.254.169.254/',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '${7*7}',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '9007199254740993',
  '9223372036854775808',
  '0x10',
  '1.5',
  ' 1',
  'true',
  'me',
  'first',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '00000000-0000-0000-0000-00000000000g',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01T00:00:00.000000000000000000000001Z',
  'a,b,,c',
  ',',
  'name:"',
  'status:\\',
  'owner:me name:',
  'has-agent:connected outdated:maybe',
  'last_used_before:0000-00-00T00:00:00Z',
  'date_from:275760-09-13',
  'param:"a"="b" param:\\',
  'CRON_TZ=Nowhere/None * * * * *',
];

/** Numbers at and past every edge that a column, a double or a parser has. JSON has no NaN, so only text carries it. */
const HOSTILE_NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.1,
  1e-300,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  1e21,
  1.797_693_134_862_315_7e308,
  -1e308,
];

const TEN_KILOBYTES = 10_000;

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom('x', '\0', '\ud800', '%', 'é', 'a-').map((unit) => unit.repeat(TEN_KILOBYTES / unit.length)) },
);

/** A value inside as many arrays, or objects, as a parser might follow by recursion. */
function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}
const DEEP_ARRAY = nested(1000, (inner) => [inner]);
const DEEP_OBJECT = nested(1000, (inner) => ({ a: inner }));

/** Anything that JSON can carry, of every wrong type. */
export const garbage: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false) },
  { weight: 2, arbitrary: fc.constantFrom([], {}, [[]], [null], [{}], { length: 1, 0: 'a' }, { toString: 1 }, { id: null }) },
  { weight: 1, arbitrary: fc.constantFrom(DEEP_ARRAY, DEEP_OBJECT) },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.dictionary(hostileText, hostileText, { maxKeys: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(2000).map((length) => Array.from({ length }, () => 0)) },
);

/** One segment of a path as bytes on the wire: encodings that decode to nothing, to separators, or to more than a name. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '%00',
      '%',
      '%zz',
      '%25',
      '%2525',
      '%2f',
      '%2F..%2F',
      '%5c',
      '%E0%A4%A',
      '%ff',
      '%c0%ae%c0%ae',
      '%F0%9F%98%80',
      '%ED%A0%80',
      ';a=b',
      'a;',
      ':user',
      '*',
      '%0d%0aa:b',
      '%20',
      '+',
      'me',
      'ME',
      'x'.repeat(500),
      'x'.repeat(600),
      '%41',
    ),
  },
  { weight: 2, arbitrary: hostileText.map(encodeSegment) },
);

/** As `encodeURIComponent`, for text that is not well-formed too; the empty text becomes a space, since no route has an empty segment. */
export function encodeSegment(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed().slice(0, TEN_KILOBYTES));
  // Browsers and clients resolve these before anything is sent.
  return /^(\.|%2e){0,2}$/i.test(encoded) ? '%20' : encoded;
}
