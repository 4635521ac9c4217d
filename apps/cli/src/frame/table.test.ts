import { describe, expect, it } from 'vitest';
import { widthOf } from './plain-text.ts';
import type { TableColumn } from './table.ts';
import { renderTable } from './table.ts';

const WORKSPACES: readonly TableColumn[] = [
  { title: 'Workspace', cells: ['ada.lovelace/analytical-engine', 'bob/web'], importance: 0 },
  { title: 'Template', cells: ['Python with notebooks', 'Shell'], importance: 3 },
  { title: 'Status', cells: ['running', 'stopped'], importance: 6 },
  { title: 'Health', cells: ['unhealthy', 'healthy'], importance: 5 },
  { title: 'Version', cells: ['humble_port (outdated)', 'humble_port'], importance: 1 },
  { title: 'Last used', cells: ['3 minutes ago', 'never'], importance: 2 },
];

describe('a table', () => {
  it('keeps its columns aligned, wide characters too', () => {
    const columns = [
      { title: 'name', cells: ['dev', '日本語の名前'], importance: 0 },
      { title: 'about', cells: ['a long text', 'short'], importance: 0 },
    ];
    const [head = '', first = '', second = ''] = renderTable({ columns, width: undefined, isBold: false }).text.split('\n');
    expect(head).toBe('NAME          ABOUT');
    expect(first.indexOf('a long')).toBe(14);
    expect(widthOf(second.slice(0, second.indexOf('short')))).toBe(14);
  });

  it('is whole where there is no terminal', () => {
    const { text, omitted } = renderTable({ columns: WORKSPACES, width: undefined, isBold: false });
    for (const cell of WORKSPACES.flatMap(({ cells }) => cells)) expect(text).toContain(cell);
    expect(omitted).toEqual([]);
  });

  it('leaves out the least important columns before it cuts the name', () => {
    const { text, omitted } = renderTable({ columns: WORKSPACES, width: 70, isBold: false });
    expect(text.split('\n')[0]?.split(/ +/)).toEqual(['WORKSPACE', 'TEMPLATE', 'STATUS', 'HEALTH']);
    expect(text).toContain('ada.lovelace/analytical-engine');
    expect(text).toContain('unhealthy');
    expect(omitted).toEqual(['Version', 'Last used']);
  });

  it('never exceeds the terminal, as long as that has room for the first column', () => {
    for (let width = 6; width <= 140; width += 1) {
      const { text } = renderTable({ columns: WORKSPACES, width, isBold: false });
      for (const line of text.split('\n')) expect(widthOf(line), String(width)).toBeLessThanOrEqual(width);
    }
  });
});
