import { expect, test } from 'vitest';
import { programName, sentence, valueText, words } from './audit-words.ts';

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

test('constants are shown as words', () => {
  expect([words('workspace_build'), words('oauth2_provider_app'), words('git_ssh_key')]).toEqual([
    'Workspace build',
    'OAuth2 provider app',
    'Git SSH key',
  ]);
});

test('a user agent is named by its program', () => {
  expect(programName('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36')).toBe(
    'Chrome',
  );
  expect([programName('curl/8.5.0'), programName('')]).toEqual(['curl', '']);
});
