import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';

/** What stands over the rows while the window is scrolled: the page's header and the table's. */
const COVERED_TOP = 100;
/** The bar of what is selected. */
const COVERED_BOTTOM = 84;
const OVERSCAN = 6;

/** Rows of one height that scroll with the window; only those in sight, and some around them, are made. */
export function useWindowRows({ count, height }: { count: number; height: number }) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      const rect = list.current?.getBoundingClientRect();
      if (rect !== undefined) setTop(Math.round(rect.top + window.scrollY));
    };
    measure();
    // What stands above the list may come and go.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  // oxlint-disable-next-line react/incompatible-library -- what it returns stays in here
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin: top,
    scrollPaddingStart: COVERED_TOP,
    scrollPaddingEnd: COVERED_BOTTOM,
    useFlushSync: false,
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height]);
  const rows = virtualizer.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;
  return {
    list,
    first,
    last,
    /** Pixels that the rows before those that are made would take, and those behind them. */
    before: first * height,
    after: Math.max(0, count - 1 - last) * height,
    total: count * height,
    isEmpty: rows.length === 0,
    scrollTo: (index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  };
}
