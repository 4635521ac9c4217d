import { expect, test } from 'vitest';
import { placesOf } from './places.ts';

const PATHS = ['berth.yaml', 'main.tf', 'modules/net/main.tf'];

test('each sentence about berth.yaml has its line', () => {
  expect(placesOf('berth.yaml:3: parameters[0].name: is missing\nberth.yaml:12: resources: too many\nand 3 more', PATHS)).toEqual([
    { path: 'berth.yaml', line: 3, message: 'parameters[0].name: is missing' },
    { path: 'berth.yaml', line: 12, message: 'resources: too many' },
    { path: undefined, line: undefined, message: 'and 3 more' },
  ]);
});

test('a sentence of Terraform gets the place that stands below it', () => {
  const error = '╷\n│ Error: Unsupported argument\n│ \n│   on modules/net/main.tf line 7, in resource "a" "b":\n│    7:   oops = 1\n╵';
  expect(placesOf(error, PATHS)[0]).toEqual({ path: 'modules/net/main.tf', line: 7, message: 'Error: Unsupported argument' });
});

test('a file without a line is a place, and one that is not there is none', () => {
  expect(placesOf('berth.yaml: the archive has no such file', PATHS)[0]).toMatchObject({ path: 'berth.yaml', line: undefined });
  expect(placesOf('other.yaml:3: wrong', PATHS)).toEqual([{ path: undefined, line: undefined, message: 'other.yaml:3: wrong' }]);
});
