import { describe, expect, it } from 'vitest';
import { CLAIM_VALUES_MAX, claimFields, readClaim } from './claims.ts';

const read = (value: unknown) => readClaim({ groups: value }, 'groups');
const fine = (...values: string[]) => ({ isFine: true, isPresent: true, values });

describe('a claim', () => {
  it('is a list of texts or one text; empty texts and repetitions do not count', () => {
    expect(read(['a', 'b', 'a', ''])).toEqual(fine('a', 'b'));
    expect(read('a')).toEqual(fine('a'));
    expect(read('')).toEqual(fine());
    expect(read([])).toEqual(fine());
    expect(read(['CN=a,OU=b'])).toEqual(fine('CN=a,OU=b'));
  });

  it.each([[undefined], [null]])('that is %s means none', (value) => {
    expect(read(value)).toEqual({ isFine: true, isPresent: false, values: [] });
  });

  it.each([['a,b'], [7], [true], [{ a: 1 }], [['a', 1]], [[['a']]], [[null]]])('that is %j is a problem', (value) => {
    expect(read(value)).toMatchObject({ isFine: false, problem: expect.stringMatching(/./) });
  });

  it('of too many or too long values is a problem', () => {
    expect(read(Array.from({ length: CLAIM_VALUES_MAX + 1 }, (_, index) => `g${index}`))).toMatchObject({ isFine: false });
    expect(read(['x'.repeat(1025)])).toMatchObject({ isFine: false });
  });

  it('that the provider only refers to is a problem, not an empty list', () => {
    const claims = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example.com' } } };
    expect(readClaim(claims, 'groups')).toMatchObject({ isFine: false });
    expect(readClaim(claims, 'roles')).toMatchObject({ isFine: true, values: [] });
  });

  it('is found by its own name before its path, and never among what every object has', () => {
    const claims = { realm_access: { roles: ['nested'] }, 'https://example.com/roles': ['url'], a: { 'b.c': { d: ['deep'] } } };
    expect(readClaim(claims, 'realm_access.roles')).toEqual(fine('nested'));
    expect(readClaim({ ...claims, 'realm_access.roles': ['literal'] }, 'realm_access.roles')).toEqual(fine('literal'));
    expect(readClaim(claims, 'https://example.com/roles')).toEqual(fine('url'));
    expect(readClaim(claims, 'a.b.c.d')).toEqual(fine('deep'));
    for (const field of ['constructor', '__proto__', 'a.constructor.name', 'toString', 'a..', '.a', 'realm_access.']) {
      expect(readClaim(claims, field)).toEqual({ isFine: true, isPresent: false, values: [] });
    }
  });
});

describe('the fields of claims', () => {
  it('are named with their paths, in order, bounded in number and depth', () => {
    expect(claimFields({ sub: '1', realm_access: { roles: [] }, a: { b: { c: { d: 1 } } } })).toEqual([
      'a',
      'a.b',
      'a.b.c',
      'realm_access',
      'realm_access.roles',
      'sub',
    ]);
    expect(claimFields(Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, 1]))).length).toBe(500);
  });
});
