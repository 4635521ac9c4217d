import { Tabs } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './TabRow.module.css';

interface Props {
  /** The value of the open tab. */
  readonly open: string;
  readonly children: React.ReactNode;
}

/** The tabs of a page in one row. Where they do not fit, the row scrolls, and the open tab is scrolled into view. */
export function TabRow({ open, children }: Props): React.JSX.Element {
  const row = useRef<HTMLDivElement>(null);
  const shown = useRef('');
  useEffect(() => {
    // Tabs may come later than the page, once the rights of its reader are known.
    const next = `${open} ${row.current?.childElementCount ?? 0}`;
    if (next === shown.current) return;
    shown.current = next;
    const show = (): void => row.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    show();
    void document.fonts.ready.then(show);
  });
  return (
    <Tabs.List ref={row} mb="md" className={classes['row']}>
      {children}
    </Tabs.List>
  );
}
