import { expect, test } from 'vitest';
import { templateMeant } from './template-meant.ts';

const templates = [
  { id: '1', name: 'node', organization_name: 'default' },
  { id: '2', name: 'node', organization_name: 'shore' },
];

test('a template is meant by its id, its organization and name, or its name alone', () => {
  expect(['2', 'shore/node', 'node', 'other', 'shore/other'].map((wanted) => templateMeant(templates, wanted)?.id)).toEqual([
    '2',
    '2',
    '1',
    undefined,
    undefined,
  ]);
});
