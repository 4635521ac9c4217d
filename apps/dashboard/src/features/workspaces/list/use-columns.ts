import { useLocalStorage } from '@mantine/hooks';
import type { ColumnKey } from './columns.ts';
import { DEFAULT_COLUMNS } from './columns.ts';
import { columnsOf } from './list-address.ts';

/** The columns that were chosen in this browser. */
export function useChosenColumns(): readonly [readonly ColumnKey[], (columns: readonly ColumnKey[]) => void] {
  const [text, setText] = useLocalStorage({
    key: 'berth-workspace-columns',
    defaultValue: DEFAULT_COLUMNS.join(','),
    serialize: String,
    deserialize: (stored) => stored ?? '',
    getInitialValueInEffect: false,
  });
  return [columnsOf(text) ?? DEFAULT_COLUMNS, (columns) => setText(columns.join(','))];
}
