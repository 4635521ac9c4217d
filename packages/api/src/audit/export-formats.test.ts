import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, exportHead, exportLine } from './export-formats.ts';
import type { ReadableAuditLog } from './presenter.ts';

/** Reads CSV as RFC 4180 has it. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  for (let rest = text; rest !== '';) {
    const cells: string[] = [];
    for (let end = ''; end !== '\r\n';) {
      const [all = '', quoted, plain = '', after = ''] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [];
      if (all === '') throw new Error(`no CSV: ${rest.slice(0, 80)}`);
      cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
      rest = rest.slice(all.length);
      end = after;
    }
    rows.push(cells);
  }
  return rows;
}

const dangerous = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '"', "'", ',', ';', '=1+1', '\r\n=2');
const cell = fc.array(fc.oneof(dangerous, fc.string({ unit: 'grapheme', maxLength: 5 })), { maxLength: 6 }).map((parts) => parts.join(''));

test('security: no cell, whatever it holds, begins as a formula, and none leaves its place', () => {
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 8 }), (cells) => {
      const [row, ...others] = parseCsv(csvLine(cells));
      expect(others).toEqual([]);
      expect(row).toHaveLength(cells.length);
      for (const [at, value] of (row ?? []).entries()) {
        expect(value).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
        expect([cells[at], `'${cells[at]}`]).toContain(value);
      }
    }),
    { numRuns: 500 },
  );
});

/** A row with this target. */
function rowOf(target: string): ReadableAuditLog {
  return {
    id: '1',
    time: '2026-11-21T00:00:00Z',
    action: 'create',
    resource_type: 'group',
    resource_id: '2',
    resource_target: target,
    resource_icon: '',
    resource_link: '',
    description: '{user} created group {target}',
    diff: {},
    additional_fields_decoded: { a: 1 },
    ip: '127.0.0.1',
    user_agent: '',
    request_id: '3',
    status_code: 201,
    is_deleted: false,
    organization_id: '4',
    organization: null,
    user: null,
  };
}

test('a row of CSV has as many cells as the head', () => {
  const [head, row] = parseCsv(`${exportHead('csv')}${exportLine(rowOf('a,"b"\nc'), 'csv')}`);
  expect(row).toHaveLength(head?.length ?? 0);
  expect(row).toContain('a,"b"\nc');
});

test('a row of JSON stands on one line, and has its further fields once, readable', () => {
  const line = exportLine(rowOf('a\nb'), 'ndjson');
  expect(line.trimEnd()).not.toContain('\n');
  expect(JSON.parse(line)).toMatchObject({ resource_target: 'a\nb', additional_fields: { a: 1 } });
  expect(exportHead('ndjson')).toBe('');
});

test('names in a sentence are texts, not patterns or placeholders', () => {
  expect(exportLine(rowOf('$&{user}'), 'csv')).toContain('somebody created group $&{user}');
});
