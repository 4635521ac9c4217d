import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributeName, elementPasses, parseFilter } from './filter-syntax.ts';
import { ScimRefusal } from './refusals.ts';

const compare = (attribute: string, comparison: string, value: unknown) => ({ op: 'compare', attribute, comparison, value });

describe('a filter', () => {
  it('is read with the precedence of RFC 7644: not before and before or', () => {
    expect(parseFilter('userName eq "a" or not (active eq true) and title pr')).toEqual({
      op: 'or',
      parts: [
        compare('username', 'eq', 'a'),
        {
          op: 'and',
          parts: [
            { op: 'not', part: compare('active', 'eq', true) },
            { op: 'present', attribute: 'title' },
          ],
        },
      ],
    });
  });

  it('names attributes in lower case and without the core schemas, and keeps extensions', () => {
    expect(attributeName('urn:ietf:params:scim:schemas:core:2.0:User:Name.FamilyName')).toBe('name.familyname');
    expect(attributeName('urn:ietf:params:scim:schemas:core:2.0:Group:members')).toBe('members');
    expect(attributeName('urn:x:y:Title')).toBe('urn:x:y:title');
  });

  it('keeps quotes and backslashes of a value as they are meant', () => {
    expect(parseFilter(String.raw`userName eq "a\"b"`)).toEqual(compare('username', 'eq', 'a"b'));
    expect(parseFilter(String.raw`userName eq "CORP\ada"`)).toEqual(compare('username', 'eq', String.raw`CORP\ada`));
  });

  it('is refused, and refused soon, whatever the text', () => {
    const word = fc.constantFrom(
      'a',
      'eq',
      '"',
      '"x"',
      '\\',
      '\n',
      '(',
      ')',
      '[',
      ']',
      'not',
      'and',
      ' ',
      '.',
      '-1',
      '1e999',
      '__proto__',
      'constructor',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word, { maxLength: 400 }).map((words) => words.join('')),
        ),
        (text) => {
          try {
            parseFilter(text);
          } catch (error) {
            if (!(error instanceof ScimRefusal) || error.scimType !== 'invalidFilter') throw error;
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('an element of a list', () => {
  const passes = (filter: string) => elementPasses(parseFilter(filter), { type: 'work', primary: true, value: 'Ada@example.com' });

  it('passes by its own attributes, whatever their case, and by nothing that every object has', () => {
    expect(
      [
        'type eq "Work"',
        'primary eq true and value co "ADA"',
        'value sw "ada" and value ew ".com"',
        'not (type ne "work")',
        'type pr',
      ].every(passes),
    ).toBe(true);
    expect(['type eq "home"', 'constructor pr', 'display pr', 'toString eq "x"', 'value[type eq "work"]'].some(passes)).toBe(false);
  });
});
