import { expect, test } from 'vitest';
import { programName, programWords } from './programs.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';

test('a user agent is named by its program', () => {
  expect([programName(CHROME), programName('curl/8.5.0'), programName('')]).toEqual(['Chrome', 'curl', '']);
  expect(programName('some-script of somebody with a long name')).toBe('some-script of somebody ');
});

test('and, where there is room, by its version and system', () => {
  expect([
    programWords(CHROME),
    programWords(SAFARI),
    programWords('berth-cli/0.1.0'),
    programWords('curl/8.5.0'),
    programWords('x'),
  ]).toEqual(['Chrome 140 on Linux', 'Safari 19 on iOS', 'Berth CLI 0.1.0', 'curl 8.5.0', 'x']);
});
