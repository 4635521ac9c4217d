import { richParameterFromWire } from '@berth/domain';
import { expect, test } from 'vitest';
import { wireParameter } from '../../create-workspace/testing/wire-parameter.ts';
import { outlookWords, parameterRows } from './parameter-rows.ts';

const parameter = (name: string, part: object = {}) => richParameterFromWire(wireParameter({ name, ...part }));
const colour = (...values: string[]) =>
  parameter('colour', {
    default_value: 'red',
    options: values.map((value) => ({ name: value.toUpperCase(), value, description: '', icon: '' })),
  });

test('values read as people chose them, and say whether the template proposed them', () => {
  const current = [
    colour('red', 'blue'),
    parameter('backups', { type: 'bool', default_value: 'true', display_name: 'Backups' }),
    parameter('later'),
  ];
  const values = [
    { name: 'colour', value: 'blue' },
    { name: 'backups', value: 'true' },
  ];
  expect(parameterRows({ current, active: current, values }).map((row) => [row.title, row.value, row.isDefault, row.standard])).toEqual([
    ['colour', 'BLUE', false, 'RED'],
    ['Backups', 'Yes', true, 'Yes'],
    ['later', null, false, ''],
  ]);
});

test('what the active version would make of each value is known before an update', () => {
  const current = [colour('red', 'blue'), parameter('size', { default_value: '1' }), parameter('old'), parameter('same')];
  const active = [
    colour('red'),
    parameter('size', { default_value: '2' }),
    parameter('same'),
    parameter('fresh', { required: true }),
    parameter('spare', { default_value: 'x' }),
  ];
  const values = ['colour', 'size', 'old', 'same'].map((name) => ({ name, value: name === 'colour' ? 'blue' : '1' }));
  const rows = parameterRows({ current, active, values });
  expect(rows.map(({ name, outlook }) => [name, outlook.kind])).toEqual([
    ['colour', 'refused'],
    ['size', 'other_default'],
    ['old', 'gone'],
    ['same', 'same'],
    ['fresh', 'new'],
    ['spare', 'new'],
  ]);
  expect(rows.map(({ outlook }) => outlookWords(outlook)).slice(1)).toEqual([
    'The active version proposes 2',
    'The active version does not ask for it any more',
    '',
    'New in the active version, which needs an answer',
    'New in the active version',
  ]);
});
