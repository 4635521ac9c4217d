import { expect, test } from 'vitest';
import { sentence, valueText, words } from './audit-words.ts';

const user = { username: 'ada' } as Parameters<typeof sentence>[0]['user'];

test('a row reads as a sentence with its names set off', () => {
  expect(sentence({ description: '{user} updated template {target}', user, resource_target: 'node' })).toEqual([
    { text: 'ada', isName: true },
    { text: ' updated template ', isName: false },
    { text: 'node', isName: true },
  ]);
});

test('a name that looks like a placeholder stays a name', () => {
  expect(sentence({ description: '{user} deleted {target}', user, resource_target: '{user}' }).map(({ text }) => text)).toEqual([
    'ada',
    ' deleted ',
    '{user}',
  ]);
});

test('a row without a user still says something', () => {
  expect(sentence({ description: '{user} logged in', user: null, resource_target: '' })[0]?.text).toBe('Someone');
});

test('values of a diff are told apart from nothing', () => {
  expect([valueText(null), valueText(''), valueText(0), valueText(false), valueText(['a', 'b'])]).toEqual([
    'empty',
    'empty',
    '0',
    'false',
    '["a","b"]',
  ]);
});

test('what is long or has parts stands on lines of its own', () => {
  expect(valueText({ a: 1 })).toBe('{\n  "a": 1\n}');
  expect(valueText('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(valueText('{curly}')).toBe('{curly}');
  expect(valueText(Array.from({ length: 40 }, () => 'word')).split('\n')).toHaveLength(42);
});

test('constants are shown as words', () => {
  expect([words('workspace_build'), words('oauth2_provider_app'), words('git_ssh_key')]).toEqual([
    'Workspace build',
    'OAuth2 provider app',
    'Git SSH key',
  ]);
});
