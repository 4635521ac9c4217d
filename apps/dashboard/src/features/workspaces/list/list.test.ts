import { WORKSPACE_SORT_KEYS } from '@berth/domain';
import { describe, expect, test } from 'vitest';
import { COLUMN_KEYS, DEFAULT_COLUMNS, columnsThatFit, nextSort } from './columns.ts';
import { addressOf, columnsOf, readWorkspacesSearch } from './list-address.ts';
import { PAGE_ROWS, pagesOf, rowAt } from './pages.ts';
import { SELECTED_MAX, extended, noSelection, rangeTo, toggled } from './selection.ts';

describe('the address of the list', () => {
  test('brings back what it says, and leaves out what it does not know', () => {
    const search = { q: 'owner:me', sort: '-last_used', view: 'cards', columns: 'status,created' } as const;
    expect(readWorkspacesSearch(search)).toEqual(search);
    expect(addressOf(search)).toBe('q=owner:me&sort=-last_used&view=cards&columns=status,created');
    expect(readWorkspacesSearch({ q: '', sort: 'colour', view: 'map', columns: 'colour', page: '3' })).toEqual({});
    expect(addressOf({})).toBe('');
  });

  test('names columns in any order, each once', () => {
    expect(columnsOf('created,status,status,nothing')).toEqual(['status', 'created']);
    expect(columnsOf('')).toBeUndefined();
  });
});

describe('columns', () => {
  test('give way to the room there is, the least asked for first, and keep their order', () => {
    expect(columnsThatFit(DEFAULT_COLUMNS, 6)).toEqual(DEFAULT_COLUMNS);
    expect(columnsThatFit(DEFAULT_COLUMNS, 2)).toEqual(['status', 'last_used']);
    expect(columnsThatFit(['template', 'organization'], 1)).toEqual(['template']);
    expect(columnsThatFit(COLUMN_KEYS, 0)).toEqual([]);
  });

  test.each(WORKSPACE_SORT_KEYS)('sort by %s one way, the other way, and no more', (key) => {
    const first = nextSort(key, undefined);
    const second = nextSort(key, first);
    expect(new Set([first, second])).toEqual(new Set([key, `-${key}`]));
    expect(nextSort(key, second)).toBeUndefined();
    expect(nextSort(key, key === 'name' ? 'status' : 'name')).toBe(first);
  });
});

describe('pages', () => {
  test('are those that hold the rows in sight', () => {
    expect(pagesOf(0, 0)).toEqual([0]);
    expect(pagesOf(PAGE_ROWS - 1, PAGE_ROWS)).toEqual([0, 1]);
    expect(pagesOf(0, -1)).toEqual([0]);
    expect(pagesOf(950, 1001)).toEqual([9, 10]);
  });

  test('have each row at its place, or not yet', () => {
    const pages = new Map([[1, ['a', 'b']]]);
    expect(rowAt(pages, PAGE_ROWS + 1)).toBe('b');
    expect(rowAt(pages, 1)).toBeUndefined();
  });
});

describe('a selection', () => {
  const row = (id: number) => ({ id: String(id) });
  const many = Array.from({ length: SELECTED_MAX + 5 }, (_, id) => row(id));

  test('takes one in and out, and remembers where a range begins', () => {
    const one = toggled(noSelection<{ id: string }>(), row(7), 7);
    expect([...one.rows.keys()]).toEqual(['7']);
    expect(rangeTo(one.anchor, 4)).toEqual([4, 7]);
    expect(rangeTo(null, 4)).toEqual([4, 4]);
    const more = extended(one, [row(6), row(7), row(8)]);
    expect([...more.rows.keys()]).toEqual(['7', '6', '8']);
    expect(more.anchor).toBe(7);
    expect(toggled(more, row(7), 7).rows.size).toBe(2);
  });

  test('is never more than may be worked on together', () => {
    const full = extended(noSelection<{ id: string }>(), many);
    expect(full.rows.size).toBe(SELECTED_MAX);
    expect(toggled(full, row(SELECTED_MAX + 1), 0).rows.size).toBe(SELECTED_MAX);
    expect(toggled(full, row(0), 0).rows.size).toBe(SELECTED_MAX - 1);
  });
});
