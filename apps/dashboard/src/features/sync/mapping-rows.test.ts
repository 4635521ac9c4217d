import { expect, test } from 'vitest';
import { addedRow, mappingOf, rowsOf } from './mapping-rows.ts';

test('a mapping read into the editor and back is the same', () => {
  const mapping = { admins: ['a', 'b'], devs: ['c'] };
  expect(mappingOf(rowsOf(mapping))).toEqual(mapping);
});

test('rows without a value are left out, and rows of one value count together', () => {
  const rows = addedRow(rowsOf({ devs: ['c'] }));
  expect(mappingOf(rows)).toEqual({ devs: ['c'] });
  expect(mappingOf([...rows, { key: 9, claim: 'devs', targets: ['c', 'd'] }])).toEqual({ devs: ['c', 'd'] });
});

test('a value that is called like a method of objects is a value like any other', () => {
  expect(Object.keys(mappingOf([{ key: 0, claim: 'constructor', targets: ['a'] }]))).toEqual(['constructor']);
});

test('each row has a key of its own', () => {
  const rows = addedRow(addedRow(rowsOf({ a: [], b: [] })));
  expect(new Set(rows.map(({ key }) => key)).size).toBe(4);
});
