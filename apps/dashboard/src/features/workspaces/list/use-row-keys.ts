import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useDevicePreferences } from '../../../ui/device-preferences.ts';

interface RowKeys {
  /** Around the rows, each of which has its index in `data-index` and a link that takes the focus. */
  readonly list: React.RefObject<HTMLElement | null>;
  readonly count: number;
  /** How many stand beside each other. */
  readonly lanes: number;
  readonly scrollTo: (index: number) => void;
  readonly onSelect: (index: number, isRange: boolean) => void;
}

/**
 * Goes through a long list by `j` and `k` or the arrows and selects with `x`, ranges with Shift. The focus goes along, so that Enter opens
 * and a screen reader reads the row.
 */
export function useRowKeys({ list, count, lanes, scrollTo, onSelect }: RowKeys): void {
  const { plainKeys } = useDevicePreferences();
  const last = useRef<number>(undefined);
  const wanted = useRef<number>(undefined);

  const linkAt = (index: number) => rowOf(list.current, index)?.querySelector('a');
  // A row far away is only there once the list has scrolled to it, and may have to be loaded first.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const link = linkAt(wanted.current);
    if (link === null || link === undefined) return;
    wanted.current = undefined;
    link.focus({ preventScroll: true });
  });

  /** Where one was before the focus went elsewhere, unless the list was scrolled away from there. */
  const lastInSight = (index: number | undefined): number | undefined => {
    const row = index === undefined ? null : rowOf(list.current, index);
    return row !== null && isInSight(row) ? index : undefined;
  };

  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return;
    const isInList = list.current?.contains(document.activeElement) === true;
    const at = wanted.current ?? (isInList ? indexOf(document.activeElement) : undefined) ?? lastInSight(last.current);
    const step = stepOf(event.key, { isInList, plainKeys, lanes });
    if (step !== 0) {
      const next = Math.min(count - 1, Math.max(0, at === undefined ? (firstInSight(list.current) ?? 0) : at + step));
      event.preventDefault();
      last.current = next;
      wanted.current = next;
      scrollTo(next);
      linkAt(next)?.focus({ preventScroll: true });
      if (event.shiftKey) onSelect(next, true);
      return;
    }
    if (plainKeys && event.key.toLowerCase() === 'x' && at !== undefined) {
      event.preventDefault();
      onSelect(at, event.shiftKey);
    }
  });
}

function stepOf(key: string, { isInList, plainKeys, lanes }: { isInList: boolean; plainKeys: boolean; lanes: number }): number {
  switch (key) {
    case 'ArrowDown':
      return isInList ? lanes : 0;
    case 'ArrowUp':
      return isInList ? -lanes : 0;
    case 'ArrowRight':
      return isInList && lanes > 1 ? 1 : 0;
    case 'ArrowLeft':
      return isInList && lanes > 1 ? -1 : 0;
    case 'j':
    case 'J':
      return plainKeys ? 1 : 0;
    case 'k':
    case 'K':
      return plainKeys ? -1 : 0;
    default:
      return 0;
  }
}

/** What stands over the rows: the page's header and the table's. */
const COVERED_TOP = 96;

function rowOf(list: HTMLElement | null, index: number): Element | null {
  return list?.querySelector(`[data-index="${index}"]`) ?? null;
}

function isInSight(row: Element): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  return top >= COVERED_TOP - 1 && bottom <= window.innerHeight;
}

function firstInSight(list: HTMLElement | null): number | undefined {
  return indexOf([...(list?.querySelectorAll('[data-index]') ?? [])].find(isInSight) ?? null);
}

function indexOf(element: Element | null): number | undefined {
  const index = element?.closest('[data-index]')?.getAttribute('data-index');
  return index === null || index === undefined ? undefined : Number(index);
}

/** Whether keys pressed there belong to something else: text, an open menu, a dialog. */
function isElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const takesText = target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable="true"]') !== null;
  return takesText || document.querySelector('[role="menu"], [role="dialog"]') !== null;
}
