import { useMatches } from '@mantine/core';
import { useRowKeys } from './use-row-keys.ts';
import { useRowsInSight } from './use-rows.ts';
import { useStable } from './use-stable.ts';
import { useWindowRows } from './use-window-rows.ts';
import { CardBones, WorkspaceCard } from './WorkspaceCard.tsx';
import classes from './WorkspaceList.module.css';
import type { ListProps } from './WorkspaceTable.tsx';

const CARD_HEIGHT = 148;
const GAP = 16;

/** All workspaces of the list as cards; those in sight are made. */
export function WorkspaceCards({ listed, count, isStale, selected, onAct }: ListProps): React.JSX.Element {
  const lanes = useMatches({ base: 1, sm: 2, lg: 3 });
  const height = CARD_HEIGHT + GAP;
  const { list, first, last, before, total, scrollTo } = useWindowRows({ count: Math.ceil(count / lanes), height });
  const sight = { first: first * lanes, last: Math.min(count, (last + 1) * lanes) - 1, count };
  const rowAt = useRowsInSight(listed, sight);
  const select = useStable(selected.select);
  const act = useStable(onAct);
  useRowKeys({
    list,
    count,
    lanes,
    scrollTo: (index) => scrollTo(Math.floor(index / lanes)),
    onSelect: (index, isRange) => {
      const row = rowAt(index);
      if (row !== undefined) selected.select(row, index, isRange);
    },
  });
  const { rows } = selected.selection;
  return (
    <div ref={list} className={classes['cards']} style={{ height: total, opacity: isStale ? 0.6 : 1 }}>
      <ul
        aria-label="Workspaces"
        className={classes['lane']}
        style={{ top: before, gap: GAP, gridTemplateColumns: `repeat(${lanes}, minmax(0, 1fr))`, margin: 0, padding: 0, listStyle: 'none' }}
      >
        {Array.from({ length: Math.max(0, sight.last - sight.first + 1) }, (_, place) => {
          const index = sight.first + place;
          const workspace = rowAt(index);
          return workspace === undefined ? (
            <CardBones key={index} index={index} />
          ) : (
            <WorkspaceCard
              key={index}
              workspace={workspace}
              index={index}
              isSelected={rows.has(workspace.id)}
              onSelect={select}
              onAct={act}
            />
          );
        })}
      </ul>
    </div>
  );
}
