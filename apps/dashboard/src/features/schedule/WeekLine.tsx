import { counted } from '@berth/core';
import { Group, Text, ThemeIcon, Tooltip } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { exactTime } from '../../ui/relative-time.ts';
import { placeOf } from '../builds/timeline/scale.ts';
import { EVENT_LOOKS } from './event-looks.tsx';
import type { LineEvent, ScheduleLine } from './schedule-line.ts';
import { labeledDays, lanesOf } from './schedule-line.ts';
import { EVENT_NAMES, ruleSentence } from './schedule-words.ts';
import classes from './WeekLine.module.css';

const MARKER_PX = 24;
const LANE_PX = 28;
/** As wide as it may be before its width is known. */
const WIDTH_PX = 720;
/** Quiet hours have a beginning and no end: they fade. */
const QUIET_MS = 6 * 3_600_000;
const NARROW_PX = 480;
/** Room for "now", for "Wed 23" and for "Wed", each with the space before it. */
const NOW_LABEL_PX = 32;
const DAY_LABEL_PX = 50;
const DAY_LABEL_NARROW_PX = 32;

const weekday = new Intl.DateTimeFormat('en', { weekday: 'short' });

/** The next week of a workspace as a line: when it is up, what happens then and by which rule, and when quiet hours begin. */
export function WeekLine({ line }: { line: ScheduleLine }): React.JSX.Element {
  const { ref, width } = useElementSize();
  const shownWidth = width === 0 ? WIDTH_PX : width;
  const left = (at: number): string => `${placeOf(line, at) * 100}%`;
  const span = (from: number, to: number) => ({ left: left(from), width: `${(placeOf(line, to) - placeOf(line, from)) * 100}%` });
  const lanes = lanesOf(
    line.events.map(({ at }) => placeOf(line, at) * shownWidth),
    MARKER_PX + 2,
  );
  const height = (Math.max(0, ...lanes) + 1) * LANE_PX;
  const isNarrow = shownWidth < NARROW_PX;
  const isLabeled = labeledDays({
    days: line.days.map((at) => placeOf(line, at) * shownWidth),
    now: placeOf(line, line.now) * shownWidth,
    nowWidth: isNarrow ? 0 : NOW_LABEL_PX,
    dayWidth: isNarrow ? DAY_LABEL_NARROW_PX : DAY_LABEL_PX,
    end: shownWidth,
  });
  return (
    <div role="group" aria-label="The next 7 days" className={classes['frame']}>
      <div ref={ref} className={classes['line']} style={{ height: height + 42 }}>
        {line.quiet.map((at) => (
          <span key={at} className={classes['quiet']} style={span(at, at + QUIET_MS)} aria-hidden />
        ))}
        {line.days.map((at, index) => (
          <span key={at} className={classes['day']} style={{ left: left(at) }} aria-hidden>
            {isLabeled[index] === true && <span>{isNarrow ? weekday.format(at) : `${weekday.format(at)} ${new Date(at).getDate()}`}</span>}
          </span>
        ))}
        <div className={classes['track']} style={{ top: height + 4 }} aria-hidden>
          {line.running.map(({ from, to }) => (
            <span key={from} className={classes['running']} style={span(from, to)} />
          ))}
        </div>
        <span className={classes['now']} style={{ left: left(line.now) }} aria-hidden>
          {!isNarrow && <span>now</span>}
        </span>
        {line.events.map((event, index) => (
          <Marker
            key={`${event.kind} ${event.at}`}
            event={event}
            style={{ left: left(event.at), top: height - ((lanes[index] ?? 0) + 1) * LANE_PX }}
            stem={((lanes[index] ?? 0) + 1) * LANE_PX - MARKER_PX + 8}
          />
        ))}
      </div>
      <Legend line={line} />
    </div>
  );
}

interface MarkerProps {
  readonly event: LineEvent;
  readonly style: React.CSSProperties;
  /** Pixels from the marker down to the line. */
  readonly stem: number;
}

function Marker({ event, style, stem }: MarkerProps): React.JSX.Element {
  const { color, icon } = EVENT_LOOKS[event.kind];
  const words = [
    `${EVENT_NAMES[event.kind]}, ${exactTime(new Date(event.at).toISOString())}.`,
    ruleSentence(event),
    event.isForeseen ? 'Expected, if everything before it happens.' : '',
  ].filter((part) => part !== '');
  return (
    <Tooltip label={words.join(' ')} multiline maw={300}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the rule behind it is there for the keyboard too */}
      <span className={classes['marker']} style={style} role="img" aria-label={words.join(' ')} tabIndex={0}>
        <span className={classes['stem']} style={{ height: stem }} />
        <ThemeIcon size={MARKER_PX} radius="xl" variant={event.isForeseen ? 'outline' : 'light'} color={color} className={classes['icon']}>
          {icon}
        </ThemeIcon>
      </span>
    </Tooltip>
  );
}

function Legend({ line: { quiet, later, events } }: { line: ScheduleLine }): React.JSX.Element {
  return (
    <Group gap="2px 16px" mt={6} mb="xs">
      <Text size="xs" c="dimmed" component="span" className={classes['key']}>
        <span className={classes['running']} aria-hidden /> up
      </Text>
      {events.some(({ isForeseen }) => isForeseen) && (
        <Text size="xs" c="dimmed" component="span" className={classes['key']}>
          <span className={classes['outlined']} aria-hidden /> expected
        </Text>
      )}
      {quiet.length > 0 && (
        <Text size="xs" c="dimmed" component="span" className={classes['key']}>
          <span className={classes['quiet']} aria-hidden /> quiet hours begin
        </Text>
      )}
      {later > 0 && (
        <Text size="xs" c="dimmed">
          {counted(later, 'event is', 'events are')} later than this week.
        </Text>
      )}
    </Group>
  );
}
