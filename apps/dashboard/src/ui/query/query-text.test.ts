import { WORKSPACE_SEARCH } from '@berth/domain';
import { describe, expect, test } from 'vitest';
import { problemsOf, quoted, suggestTerms, suggestValues, termsOf, typedAt, withSuggestion } from './query-text.ts';

const KEYS = [
  { key: 'owner', hint: 'whose' },
  { key: 'status', hint: 'how it is', values: [{ value: 'running' }, { value: 'stopped' }, { value: 'failed', hint: 'its last build' }] },
  { key: 'param', hint: 'a parameter' },
];
/** What is typed where the bar stands. */
const at = (text: string) => typedAt(text.replace('|', ''), text.indexOf('|'), (key) => key === 'param');
const inserts = (suggestions: readonly { insert: string }[]): string[] => suggestions.map(({ insert }) => insert);

describe('the terms of a query', () => {
  test.each([
    ['Owner:Me  status:failed', ['owner=Me', 'status=failed']],
    ['name:"two words" "free text" a"b c"d', ['name=two words', 'null=free text', 'null=ab cd']],
    ['last_used_before:"2024-01-02T03:04:05Z"', ['last_used_before=2024-01-02T03:04:05Z']],
    ['', []],
  ])('are those that the server reads: %s', (text, terms) => {
    expect(termsOf(text).map(({ key, value }) => `${key}=${value}`)).toEqual(terms);
  });

  test('are found in half-typed text, each at its place', () => {
    expect(termsOf('a owner: "open')).toEqual([
      { start: 0, end: 1, key: null, valueStart: 0, value: 'a' },
      { start: 2, end: 8, key: 'owner', valueStart: 8, value: '' },
      { start: 9, end: 14, key: null, valueStart: 9, value: 'open' },
    ]);
  });
});

describe('what is being typed', () => {
  test.each([
    ['|', { key: null, text: '', start: 0, end: 0 }],
    ['ow|', { key: null, text: 'ow', start: 0, end: 2 }],
    ['owner:me |', { key: null, text: '', start: 9, end: 9 }],
    ['owner:|', { key: 'owner', text: '', start: 6, end: 6 }],
    ['owner:a|da x', { key: 'owner', text: 'a', start: 6, end: 9 }],
    ['ow|ner:ada', { key: null, text: 'ow', start: 0, end: 6 }],
    ['template:"my te|', { key: 'template', text: 'my te', start: 9, end: 15 }],
    ['param:a,b|', { key: 'param', text: 'b', start: 8, end: 9 }],
    ['owner:a,b|', { key: 'owner', text: 'a,b', start: 6, end: 9 }],
  ])('at the bar of %s', (text, typed) => {
    expect(at(text)).toEqual(typed);
  });
});

describe('suggestions', () => {
  test('are keys, and values of closed sets whose key was left out', () => {
    expect(inserts(suggestTerms('', KEYS))).toEqual(['owner:', 'status:', 'param:']);
    expect(inserts(suggestTerms('S', KEYS))).toEqual(['status:']);
    expect(inserts(suggestTerms('st', KEYS))).toEqual(['status:', 'status:stopped']);
    expect(suggestTerms('fail', KEYS)).toEqual([{ insert: 'status:failed', hint: 'its last build', isWhole: true }]);
  });

  test('of values begin with those that begin with what was typed, and are quoted where they have to be', () => {
    const values = [{ value: 'go-web' }, { value: 'web', hint: 'Web' }, { value: 'two words' }, { value: 'x', hint: 'on the web' }];
    expect(inserts(suggestValues('WEB', values))).toEqual(['web', 'go-web', 'x']);
    expect(inserts(suggestValues('two', values))).toEqual(['"two words"']);
    expect(quoted('a:b')).toBe('"a:b"');
  });

  test('take the place of what was typed, and leave the caret where the next thing is typed', () => {
    const put = (text: string, insert: string, isWhole: boolean) =>
      withSuggestion(text.replace('|', ''), at(text), { insert, isWhole, hint: '' });
    expect(put('ow|', 'owner:', false)).toEqual({ text: 'owner:', caret: 6 });
    expect(put('owner:m|', 'me', true)).toEqual({ text: 'owner:me ', caret: 9 });
    expect(put('owner:m| status:failed', 'me', true)).toEqual({ text: 'owner:me status:failed', caret: 9 });
    expect(put('ow|ner:me x', 'owner:', false)).toEqual({ text: 'owner:me x', caret: 6 });
    expect(put('template:"my te|', '"my template"', true)).toEqual({ text: 'template:"my template" ', caret: 23 });
    expect(put('param:a,b|', 'bc', true)).toEqual({ text: 'param:a,bc ', caret: 11 });
  });
});

describe('problems', () => {
  const spans = (text: string) => problemsOf(text, WORKSPACE_SEARCH).map(({ start, end }) => text.slice(start, end));
  test.each([
    ['owner:me status:failed', []],
    ['colour:red owner:me', ['colour:red']],
    ['owner:me status:flying', ['status:flying']],
    ['owner:me owner:you', ['owner:me', 'owner:you']],
    ['x owner:', ['owner:']],
    ['x a:b:c', ['a:b:c']],
    ['name:"open', ['name:"open']],
    ['x a/b/c', ['a/b/c']],
  ])('of %s are at their terms', (text, found) => {
    expect(spans(text)).toEqual(found);
  });

  test('say the rule', () => {
    expect(problemsOf('colour:red', WORKSPACE_SEARCH)[0]?.detail).toContain('"colour" is not a search key. There are: name, owner');
    expect(problemsOf('status:flying', WORKSPACE_SEARCH)[0]?.detail).toContain('is not one of: pending');
  });
});
