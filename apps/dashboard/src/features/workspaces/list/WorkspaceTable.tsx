import type { Workspace } from '@berth/api/contract/workspaces';
import type { WorkspaceSort, WorkspaceSortKey } from '@berth/domain';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useMatches } from '@mantine/core';
import { useMemo } from 'react';
import { useDevicePreferences } from '../../../ui/device-preferences.ts';
import type { ColumnKey } from './columns.ts';
import { COLUMN_LOOKS, columnsThatFit, nextSort } from './columns.ts';
import { columnsOf } from './list-address.ts';
import type { Act } from './RowAction.tsx';
import type { SelectionActions } from './use-selection.ts';
import { useRowKeys } from './use-row-keys.ts';
import type { Listed } from './page-options.ts';
import { useRowsInSight } from './use-rows.ts';
import { useStable } from './use-stable.ts';
import { useWindowRows } from './use-window-rows.ts';
import classes from './WorkspaceList.module.css';
import { RowBones, WorkspaceRow } from './WorkspaceRow.tsx';

export interface ListProps {
  readonly listed: Listed;
  /** All that match. */
  readonly count: number;
  /** Rows of the list before, until the one that is asked for is here. */
  readonly isStale: boolean;
  readonly selected: SelectionActions;
  readonly onAct: Act;
}

interface Props extends ListProps {
  readonly columns: readonly ColumnKey[];
  readonly onSort: (sort: WorkspaceSort | undefined) => void;
}

const NAME_SHARE = 3;
const HEIGHTS = { comfortable: 61, compact: 45 } as const;
/** With the status under the name. */
const NARROW_HEIGHTS = { comfortable: 87, compact: 79 } as const;

/** All workspaces of the list, however many: rows are made when they come into sight. */
export function WorkspaceTable({ listed, count, isStale, selected, onAct, columns: chosen, onSort }: Props): React.JSX.Element {
  const room = useMatches({ base: 0, xs: 1, sm: 3, md: 4, lg: 6 });
  const isNarrow = room === 0;
  const { density } = useDevicePreferences();
  const height = (isNarrow ? NARROW_HEIGHTS : HEIGHTS)[density];
  // The same array for the same columns: a row that gets another one is drawn anew.
  const chosenText = chosen.join(',');
  const columns = useMemo(() => columnsThatFit(columnsOf(chosenText) ?? [], room), [chosenText, room]);
  const { list, first, last, before, after, scrollTo } = useWindowRows({ count, height });
  const rowAt = useRowsInSight(listed, { first, last, count });
  const select = useStable(selected.select);
  const act = useStable(onAct);
  useRowKeys({
    list,
    count,
    lanes: 1,
    scrollTo,
    onSelect: (index, isRange) => {
      const row = rowAt(index);
      if (row !== undefined) selected.select(row, index, isRange);
    },
  });
  const { rows } = selected.selection;
  const shares = NAME_SHARE + columns.reduce((sum, key) => sum + COLUMN_LOOKS[key].share, 0);
  return (
    <div ref={list} className={`surface ${classes['surface']}`} style={{ opacity: isStale ? 0.6 : 1 }}>
      <table className={classes['table']} aria-label="Workspaces" aria-rowcount={count + 1}>
        <thead className={classes['head']}>
          <tr aria-rowindex={1}>
            <th className={classes['check']}>
              <SelectAll count={count} selected={selected} />
            </th>
            <Heading label="Name" share={NAME_SHARE / shares} sorts="name" sort={listed.sort} onSort={onSort} />
            {columns.map((key) => (
              <Heading
                key={key}
                label={COLUMN_LOOKS[key].label}
                share={COLUMN_LOOKS[key].share / shares}
                sorts={COLUMN_LOOKS[key].sort}
                sort={listed.sort}
                onSort={onSort}
              />
            ))}
            <th className={classes['last']}>Actions</th>
          </tr>
        </thead>
        <tbody>
          <Space height={before} />
          {Array.from({ length: Math.max(0, Math.min(last, count - 1) - first + 1) }, (_, place) => {
            const index = first + place;
            const workspace: Workspace | undefined = rowAt(index);
            return workspace === undefined ? (
              <RowBones key={index} index={index} height={height} columns={columns.length} />
            ) : (
              <WorkspaceRow
                key={index}
                workspace={workspace}
                index={index}
                isSelected={rows.has(workspace.id)}
                onSelect={select}
                onAct={act}
                columns={columns}
                isNarrow={isNarrow}
                height={height}
                isCompact={density === 'compact'}
              />
            );
          })}
          <Space height={after} />
        </tbody>
      </table>
    </div>
  );
}

/** Where the rows would stand that are out of sight. */
function Space({ height }: { height: number }): React.JSX.Element | null {
  if (height === 0) return null;
  return (
    <tr aria-hidden="true" style={{ height }}>
      <td aria-hidden="true" />
    </tr>
  );
}

function SelectAll({ count, selected }: { count: number; selected: SelectionActions }): React.JSX.Element {
  const size = selected.selection.rows.size;
  const isAll = size > 0 && size >= count;
  return (
    <input
      ref={(box) => {
        if (box !== null) box.indeterminate = size > 0 && !isAll;
      }}
      type="checkbox"
      aria-label="Select all"
      checked={isAll}
      disabled={selected.isLoading}
      onChange={() => (size > 0 ? selected.clear() : selected.selectAll(count))}
    />
  );
}

interface HeadingProps {
  readonly label: string;
  /** Of the width that all columns have together. */
  readonly share: number;
  readonly sorts: WorkspaceSortKey | undefined;
  readonly sort: WorkspaceSort | undefined;
  readonly onSort: (sort: WorkspaceSort | undefined) => void;
}

function Heading({ label, share, sorts, sort, onSort }: HeadingProps): React.JSX.Element {
  const width = `${(share * 100).toFixed(2)}%`;
  if (sorts === undefined) return <th style={{ width }}>{label}</th>;
  const isUp = sort === sorts;
  const isDown = sort === `-${sorts}`;
  return (
    <th style={{ width }} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <button type="button" className={classes['sort']} onClick={() => onSort(nextSort(sorts, sort))}>
        {label}
        {isUp && <IconArrowUp size={14} aria-hidden />}
        {isDown && <IconArrowDown size={14} aria-hidden />}
      </button>
    </th>
  );
}
