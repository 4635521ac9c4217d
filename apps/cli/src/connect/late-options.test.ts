import { expect, test } from 'vitest';

import { lateOptions } from './late-options.ts';

const read = (line: string) => lateOptions(line.split(' ').filter((word) => word !== ''));

test('options between the workspace and the command are ours, those of the command are its own', () => {
  expect(read('-A -L 1:a:2 -L3:b:4 ls -la -A')).toMatchObject({
    values: { 'forward-agent': true, 'local-forward': ['1:a:2', '3:b:4'] },
    command: ['ls', '-la', '-A'],
  });
  expect(read('-N --remote-forward=1:a:2')).toMatchObject({ values: { 'no-command': true, 'remote-forward': ['1:a:2'] }, command: [] });
});

test('two hyphens begin the command, and stand in it again as they are', () => {
  expect(read('-- -x')).toMatchObject({ command: ['-x'] });
  expect(read('git log -- file').command).toEqual(['git', 'log', '--', 'file']);
  expect(read('').command).toEqual([]);
});

test('an unknown option, and one without its value, are refused', () => {
  expect(() => read('--colour ls')).toThrow('--colour');
  expect(() => read('-L')).toThrow('local-forward');
});
