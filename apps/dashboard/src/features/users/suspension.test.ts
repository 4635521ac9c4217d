import { expect, test } from 'vitest';
import { endsSentences } from './suspension.ts';

test('a suspension names the workspaces that it stops, and counts those it does not name', () => {
  expect(endsSentences({ sessions: 2, tokens: 0, running: ['a', 'b'], runningCount: 4 })).toEqual([
    '2 sessions stop working.',
    'There are no API tokens.',
    '4 running workspaces are stopped: a, b and 2 more.',
  ]);
});

test('what may not be counted is said without a number', () => {
  expect(endsSentences({ sessions: undefined, tokens: undefined, running: undefined, runningCount: undefined })).toEqual([
    'Every session ends.',
    'Every API token stops working.',
    'Running workspaces are stopped.',
  ]);
});
