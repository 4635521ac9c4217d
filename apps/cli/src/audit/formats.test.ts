import { expect, test } from 'vitest';

import type { AuditEntry } from './entries.ts';
import { headOf, lineOf } from './formats.ts';

/** A row with these texts. */
function rowOf(texts: { readonly target: string; readonly agent?: string }): AuditEntry {
  return {
    id: '1',
    time: '2026-11-21T00:00:00Z',
    action: 'create',
    resource_type: 'group',
    resource_id: '2',
    resource_target: texts.target,
    resource_icon: '',
    resource_link: '',
    description: '{user} created group {target}',
    diff: {},
    additional_fields: [123, 125],
    additional_fields_decoded: { a: 1 },
    ip: '127.0.0.1',
    user_agent: texts.agent ?? '',
    request_id: '3',
    status_code: 201,
    is_deleted: false,
    organization_id: '4',
    organization: null,
    user: null,
  };
}

const cellsOf = (row: AuditEntry): string[] => lineOf(row, 'csv').trimEnd().split(',');

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('security: %j is no formula in a spreadsheet', (target) => {
  const [, , , , , cell = ''] = cellsOf(rowOf({ target }));
  expect(cell.replace(/^"/, '')).toBe(`'${target}`);
});

test('commas, quotes and line breaks stay in their cell', () => {
  expect(lineOf(rowOf({ target: 'a,"b"\nc' }), 'csv')).toContain(',"a,""b""\nc",');
  expect(cellsOf(rowOf({ target: 'plain' })).length).toBe(headOf('csv').split(',').length);
});

test('a row of JSON stands on one line, and has its further fields once, readable', () => {
  const line = lineOf(rowOf({ target: 'a\nb' }), 'ndjson');
  expect(line.trimEnd()).not.toContain('\n');
  expect(JSON.parse(line)).toMatchObject({ resource_target: 'a\nb', additional_fields: { a: 1 } });
  expect(headOf('ndjson')).toBe('');
});

test('names in a sentence are texts, not patterns', () => {
  expect(lineOf(rowOf({ target: '$&' }), 'csv')).toContain('somebody created group $&');
});
