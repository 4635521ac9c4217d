import { Alert, Box, Button, Group, Loader, Switch, Text } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { problemOf } from '../../api/errors.ts';
import { duration, exactTime } from '../../ui/relative-time.ts';
import type { FeedState } from './log-feed.ts';
import type { LogGroup, ShownLine } from './log-lines.ts';
import { groupByStage } from './log-lines.ts';
import classes from './LogView.module.css';

const AT_END_PX = 24;

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
}

/** A log as it grows: under headings of stages, coloured by level, scrolled to its end while `Follow` is on. */
export function LogView({ label, lines, state, error, onRetry, emptyText, maxHeight = 420 }: Props): React.JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const [hasTimes, setTimes] = useState(false);
  useLayoutEffect(() => {
    if (isFollowing) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [lines, isFollowing]);
  return (
    <Box className={classes['frame']}>
      <Group justify="space-between" px="sm" py={6} className={classes['bar']}>
        <Text size="xs" c="dimmed" role="status">
          {stateText(state, lines.length)}
        </Text>
        <Group gap="md">
          <Switch size="xs" label="Timestamps" checked={hasTimes} onChange={(event) => setTimes(event.currentTarget.checked)} />
          <Switch size="xs" label="Follow" checked={isFollowing} onChange={(event) => setFollowing(event.currentTarget.checked)} />
        </Group>
      </Group>
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
      <div
        ref={box}
        className={classes['scroll']}
        style={{ maxHeight }}
        role="log"
        aria-label={label}
        aria-live="off"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
        tabIndex={0}
        data-times={hasTimes}
        onScroll={(event) => {
          const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
          setFollowing(scrollHeight - scrollTop - clientHeight < AT_END_PX);
        }}
      >
        {lines.length === 0 ? (
          <Text size="sm" c="dimmed" p="sm">
            {emptyText}
          </Text>
        ) : (
          groupByStage(lines).map((group) => <Stage key={group.key} group={group} />)
        )}
        {state === 'live' && lines.length > 0 && (
          <Group gap={6} px="sm" py={4} aria-hidden>
            <Loader size={10} type="dots" />
          </Group>
        )}
      </div>
    </Box>
  );
}

function stateText(state: FeedState, count: number): string {
  const lines = count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`;
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

function Stage({ group }: { group: LogGroup }): React.JSX.Element {
  return (
    <section className={classes['stage']}>
      {group.stage !== '' && (
        <h3 className={classes['heading']} data-failed={group.hasErrors}>
          <span>{group.stage}</span>
          <span className={classes['took']}>{duration(Date.parse(group.endedAt) - Date.parse(group.startedAt))}</span>
        </h3>
      )}
      {group.lines.map((line) => (
        <div key={line.id} className={classes['line']} data-level={line.level} title={exactTime(line.at)}>
          <span className={classes['time']} aria-hidden>
            {line.at.slice(11, 23)}
          </span>
          {(line.level === 'error' || line.level === 'warn') && <span className={classes['level']}>{line.level}</span>}
          <span>{line.text}</span>
        </div>
      ))}
    </section>
  );
}
