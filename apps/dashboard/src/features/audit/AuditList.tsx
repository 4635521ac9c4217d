import { Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { Fragment } from 'react';
import { takesText } from '../../shell/use-shortcuts.ts';
import { useDevicePreferences } from '../../ui/device-preferences.ts';
import { AuditRow } from './AuditRow.tsx';
import classes from './AuditRow.module.css';
import type { AuditLog } from './audit-words.ts';

interface Props {
  readonly rows: readonly AuditLog[];
  readonly entry: string | undefined;
  readonly arrived: ReadonlySet<string>;
  readonly isStale: boolean;
  readonly onOpen: (id: string) => void;
}

const day = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** The entries under the days of the reader's zone. `j` and `k` go from one to the next. */
export function AuditList({ rows, entry, arrived, isStale, onOpen }: Props): React.JSX.Element {
  const { plainKeys } = useDevicePreferences();
  useWindowEvent('keydown', (event) => {
    if (!plainKeys || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (entry !== undefined || takesText(event.target) || (event.key !== 'j' && event.key !== 'k')) return;
    const buttons = [...document.querySelectorAll<HTMLElement>('[data-audit-row]')];
    const at = buttons.findIndex((button) => button === document.activeElement);
    const next = event.key === 'j' ? at + 1 : Math.max(at - 1, 0);
    buttons[next]?.focus();
    buttons[next]?.scrollIntoView({ block: 'nearest' });
    if (buttons[next] !== undefined) event.preventDefault();
  });
  return (
    <ol className={`surface ${classes['list'] ?? ''}`} aria-label="Entries" style={{ opacity: isStale ? 0.6 : 1 }}>
      {rows.map((row, at) => {
        const title = day.format(new Date(row.time));
        const before = rows[at - 1];
        return (
          <Fragment key={row.id}>
            {(before === undefined || day.format(new Date(before.time)) !== title) && (
              <li className={classes['day']}>
                <Text size="xs" fw={600} c="dimmed">
                  {title}
                </Text>
              </li>
            )}
            <AuditRow row={row} isOpen={row.id === entry} isNew={arrived.has(row.id)} onOpen={onOpen} />
          </Fragment>
        );
      })}
    </ol>
  );
}
