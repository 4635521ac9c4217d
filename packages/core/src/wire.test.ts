import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pageLimit, pageOffset, queryBool, queryInt, queryList, timestamp, uuid } from './wire.ts';

const taken = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

describe('a boolean of a query', () => {
  it.each(['1', 't', 'T', 'TRUE', 'true', 'True', true])('is true as %s', (value) => {
    expect(queryBool().parse(value)).toBe(true);
  });

  it.each(['0', 'f', 'F', 'FALSE', 'false', 'False', false])('is false as %s', (value) => {
    expect(queryBool().parse(value)).toBe(false);
  });

  it.each(['', ' ', 'yes', 'no', 'on', 'tRUE', ' true', 'null', '2', '-1', 1, 0, null, undefined, [], ['true'], {}])(
    'is not %j',
    (value) => {
      expect(taken(queryBool(), value)).toBe(false);
    },
  );
});

describe('an integer of a query', () => {
  it('is every integer within its bounds, as text and as a number', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1000, max: 1000 }), (value) => {
        expect(queryInt(-1000, 1000).parse(String(value))).toBe(value);
        expect(queryInt(-1000, 1000).parse(value)).toBe(value);
      }),
    );
    expect(queryInt(0, Number.MAX_SAFE_INTEGER).parse('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    expect(queryInt(0, 10).parse('007')).toBe(7);
  });

  it('is nothing beyond them', () => {
    for (const value of ['-1', '11', '9007199254740993', '99999999999999999', -1, 11]) {
      expect(taken(queryInt(0, 10), value), String(value)).toBe(false);
    }
  });

  it.each([
    '',
    ' ',
    ' 1',
    '1 ',
    '+1',
    '1.0',
    '1.5',
    '1e1',
    '0x1',
    '1_0',
    '١',
    '--1',
    'NaN',
    'Infinity',
    NaN,
    Infinity,
    1.5,
    true,
    null,
    [[]],
    [['1']],
    {},
  ])('is not %j', (value) => {
    expect(taken(queryInt(-100, 100), value)).toBe(false);
  });
});

describe('a list of a query', () => {
  const list = queryList(z.string().max(3), 3);

  it('is given with commas or by repeating its name', () => {
    expect(list.parse('a,b')).toEqual(['a', 'b']);
    expect(list.parse(['a', 'b'])).toEqual(['a', 'b']);
    expect(list.parse(',a,,b,')).toEqual(['a', 'b']);
    expect(list.parse('')).toEqual([]);
  });

  it('is bounded in its entries and in each of them', () => {
    for (const value of ['a,b,c,d', ['a', 'b', 'c', 'd'], 'abcd', ['abcd'], [1], 1, null, { 0: 'a' }]) {
      expect(taken(list, value), JSON.stringify(value)).toBe(false);
    }
  });
});

describe('a page', () => {
  it('has the default size for an absent limit and for zero, and never more than its maximum', () => {
    const limit = pageLimit(25, 100);
    expect([undefined, '0', 0, '7', 100].map((value) => limit.parse(value))).toEqual([25, 25, 25, 7, 100]);
    for (const value of ['101', '-1', '', 'all', null, '1e2']) expect(taken(limit, value), String(value)).toBe(false);
  });

  it('begins at the first row unless told, and at most where PostgreSQL still counts', () => {
    expect([undefined, '5'].map((value) => pageOffset().parse(value))).toEqual([0, 5]);
    for (const value of ['-1', '2147483648', '']) expect(taken(pageOffset(), value), value).toBe(false);
  });
});

describe('a UUID', () => {
  it('is any version in its hexadecimal form, and nothing around it', () => {
    for (const value of ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-ffff-ffff-ffff-ffffffffffff']) {
      expect(taken(uuid(), value), value).toBe(true);
    }
    for (const value of [
      '',
      '{00000000-0000-0000-0000-000000000000}',
      '00000000000000000000000000000000',
      '00000000-0000-0000-0000-00000000000g',
      '00000000-0000-0000-0000-000000000000\n',
      null,
    ]) {
      expect(taken(uuid(), value), String(value)).toBe(false);
    }
  });
});

describe('a timestamp', () => {
  it('is an instant of the years 1 to 9999, with any offset on Earth', () => {
    for (const value of [
      '2026-01-02T03:04:05Z',
      '2026-01-02T03:04:05.123456789Z',
      '2026-01-02T03:04:05+14:00',
      '2026-01-02T03:04:05-12:00',
      '0001-01-01T00:00:00Z',
      '9998-12-31T23:59:59Z',
    ]) {
      expect(taken(timestamp(), value), value).toBe(true);
    }
  });

  it.each([
    '',
    'now',
    'infinity',
    '2026-01-02',
    '2026-01-02T03:04:05',
    '2026-02-30T00:00:00Z',
    '2026-01-02T24:00:00Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59.9999999Z',
    '2026-01-02T03:04:05+16:00',
    '2026-01-02T03:04:05-23:59',
    '+012026-01-02T03:04:05Z',
    0,
    null,
  ])('is not %j, which PostgreSQL or JavaScript would refuse or change', (value) => {
    expect(taken(timestamp(), value)).toBe(false);
  });
});
