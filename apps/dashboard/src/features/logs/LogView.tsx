import { counted } from '@berth/core';
import { Alert, Box, Button, Group, Loader, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { problemOf } from '../../api/errors.ts';
import { downloadText } from '../../ui/download.ts';
import { notifyDone } from '../../ui/notify.ts';
import type { FeedState } from './log-feed.ts';
import type { ShownLine } from './log-lines.ts';
import { logText } from './log-lines.ts';
import type { LogPlace } from './log-place.ts';
import { lineOf } from './log-target.ts';
import { LogRowView } from './LogRowView.tsx';
import { LogToolbar } from './LogToolbar.tsx';
import classes from './LogView.module.css';
import { useLogOptions } from './use-log-options.ts';
import { ALL_LINES, useLogRows } from './use-log-rows.ts';
import { withHeadingOf } from './visible-rows.ts';

const AT_END_PX = 24;
const ROW_PX = 20;
const OVERSCAN_ROWS = 20;
const NOTHING_MEASURED: ReadonlyMap<string, number> = new Map();

interface Props {
  /** What this is the log of, for people who do not see it. */
  readonly label: string;
  readonly lines: readonly ShownLine[];
  readonly state: FeedState;
  readonly error: unknown;
  readonly onRetry: () => void;
  /** What to say while there is no line. */
  readonly emptyText: string;
  readonly maxHeight?: number;
  /** More was written than was kept. */
  readonly isCut?: boolean;
  /** Where its lines have addresses. */
  readonly place?: LogPlace | undefined;
  /** How long stages took, where that was measured; milliseconds by the name of the stage. */
  readonly measured?: ReadonlyMap<string, number> | undefined;
}

/**
 * A log as it grows: under headings of stages, coloured by level and as its program did, scrolled to its end while `Follow` is on. It can
 * be searched, filtered and taken home, and opens at the line that an address names. Only rows that are seen exist.
 */
export function LogView({
  label,
  lines,
  state,
  error,
  onRetry,
  emptyText,
  maxHeight = 420,
  isCut = false,
  place,
  measured = NOTHING_MEASURED,
}: Props): React.JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const searchRef = useRef<HTMLInputElement>(null);
  /** Whether it was a person who scrolled last. */
  const byHand = useRef(false);
  const noteHand = (): void => {
    byHand.current = true;
  };
  const clipboard = useClipboard();
  const shown = useLogRows(lines, measured);
  const { rows, matches, setText, setCurrent } = shown;
  const [options, setOptions] = useLogOptions();
  const [isFollowing, setFollowing] = useState(place === undefined || place.target === null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: OVERSCAN_ROWS,
    rangeExtractor: withHeadingOf(rows),
    useFlushSync: false,
  });
  const height = virtual.getTotalSize();
  const found = shown.text === '' ? undefined : matches[Math.min(shown.current, matches.length - 1)];
  const targetLine = place === undefined || place.target === null ? null : lineOf(place.target, lines);
  const target = useTargetRow({ shown, line: targetLine });
  const marked = found ?? target;

  useLayoutEffect(() => {
    if (!isFollowing) return;
    byHand.current = false;
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [lines, isFollowing, height]);
  useLayoutEffect(() => {
    if (target === undefined) return;
    setFollowing(false);
    byHand.current = false;
    virtual.scrollToIndex(target, { align: 'center' });
    // Only where the address of the page is that of the line.
    if (place?.onPick !== undefined) frame.current?.scrollIntoView({ block: 'nearest' });
    // oxlint-disable-next-line react/exhaustive-deps -- once for each place, however the log grows around it
  }, [targetLine, target === undefined]);
  useLayoutEffect(() => {
    if (found !== undefined) virtual.scrollToIndex(found, { align: 'center' });
    // oxlint-disable-next-line react/exhaustive-deps -- only when another match is looked at
  }, [found, shown.current, shown.searched]);
  useLayoutEffect(() => virtual.measure(), [virtual, options]);

  const search = (text: string): void => {
    setText(text);
    setCurrent(0);
    if (text !== '') setFollowing(false);
  };
  const pick = (number: number): void => {
    if (place === undefined) return;
    clipboard.copy(new URL(place.hrefOf(number), location.href).href);
    notifyDone(`The link to line ${number} is copied.`);
    place.onPick?.(number);
  };
  return (
    <Box
      ref={frame}
      className={classes['frame']}
      onKeyDown={(event) => {
        // What is not seen does not exist for the browser's own search.
        if (event.key !== 'f' || !(event.ctrlKey || event.metaKey) || document.activeElement === searchRef.current) return;
        event.preventDefault();
        searchRef.current?.focus();
      }}
    >
      <LogToolbar
        label={label}
        status={stateText(state, lines.length)}
        rows={shown}
        searchRef={searchRef}
        hasLines={lines.length > 0}
        grows={state !== 'ended'}
        isFollowing={isFollowing}
        options={options}
        onFollow={setFollowing}
        onOptions={(part) => setOptions(part)}
        onSearch={search}
        onStep={(by) => {
          if (matches.length > 0) setCurrent((Math.min(shown.current, matches.length - 1) + by + matches.length) % matches.length);
        }}
        onDownload={() => downloadText(`${label}.log`, logText(lines))}
      />
      {state === 'failed' && (
        <Alert color="red" radius={0} role="alert">
          <Group justify="space-between">
            <Text size="sm">The log stopped: {problemOf(error).message}</Text>
            <Button size="compact-xs" variant="default" onClick={onRetry}>
              Try again
            </Button>
          </Group>
        </Alert>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only notes that a person scrolls */}
      <div
        ref={box}
        className={classes['scroll']}
        style={{ maxHeight }}
        role="log"
        aria-label={label}
        aria-live="off"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
        tabIndex={0}
        data-times={options.hasTimes}
        data-wrapped={options.isWrapped}
        onWheel={noteHand}
        onTouchMove={noteHand}
        onPointerDown={noteHand}
        onKeyDown={noteHand}
        onScroll={(event) => {
          const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
          // Rows that turn out higher than they were thought move things too: only a person begins to follow, or stops it.
          if (byHand.current && found === undefined) setFollowing(scrollHeight - scrollTop - clientHeight < AT_END_PX);
        }}
      >
        {rows.length === 0 ? (
          <Text size="sm" c="dimmed" p="sm">
            {lines.length === 0 ? emptyText : 'No line is of that level and stage.'}
          </Text>
        ) : (
          <div className={classes['rows']} style={{ height }}>
            {virtual.getVirtualItems().map((item) => {
              const row = rows[item.index];
              if (row === undefined) return null;
              const isStuck = row.kind === 'heading' && item.start < (virtual.scrollOffset ?? 0);
              return (
                <div
                  key={item.key}
                  ref={virtual.measureElement}
                  data-index={item.index}
                  className={isStuck ? classes['stuck'] : classes['row']}
                  style={isStuck ? undefined : { transform: `translateY(${item.start}px)` }}
                >
                  <LogRowView row={row} search={shown.searched} isMarked={item.index === marked} hrefOf={place?.hrefOf} onPick={pick} />
                </div>
              );
            })}
          </div>
        )}
        {isCut && (
          <Text size="sm" c="dimmed" px="sm" py={4}>
            More was written than a log keeps: the rest is in the workspace, if the script keeps a file.
          </Text>
        )}
        {state === 'live' && !isCut && lines.length > 0 && (
          <Group gap={6} px="sm" py={4} aria-hidden>
            <Loader size={10} type="dots" />
          </Group>
        )}
      </div>
    </Box>
  );
}

/** The row of a line that is to be seen, whatever hides it; undefined while there is none. */
function useTargetRow({ shown, line }: { shown: ReturnType<typeof useLogRows>; line: number | null }): number | undefined {
  const { rows, filter, setFilter } = shown;
  const [revealed, setRevealed] = useState<number | null>(null);
  const index = line === null ? -1 : rows.findIndex((row) => row.kind === 'line' && row.number === line);
  if (line !== revealed) {
    setRevealed(line);
    if (line !== null && index === -1 && filter !== ALL_LINES) setFilter(ALL_LINES);
  }
  return index === -1 ? undefined : index;
}

function stateText(state: FeedState, count: number): string {
  const lines = counted(count, 'line');
  switch (state) {
    case 'connecting':
      return 'Opening the log…';
    case 'live':
      return `Live · ${lines}`;
    case 'ended':
      return lines;
    case 'failed':
      return `Interrupted · ${lines}`;
  }
}
