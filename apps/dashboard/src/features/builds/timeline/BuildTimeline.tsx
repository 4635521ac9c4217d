import { Button, Group, Stack, Text, Title, Tooltip, VisuallyHidden } from '@mantine/core';
import type { WorkspaceBuild } from '@berth/api/contract/builds';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { duration, exactTime } from '../../../ui/relative-time.ts';
import { fragmentOf } from '../../logs/log-target.ts';
import type { ShownLine } from '../../logs/log-lines.ts';
import classes from './BuildTimeline.module.css';
import type { Tick } from './scale.ts';
import { placeOf, ticksOf } from './scale.ts';
import type { Bar, Span } from './timeline.ts';
import { barsOf, isMoving, shownBars, spanOf } from './timeline.ts';
import { useTickingNow } from './use-ticking-now.ts';
import type { Measured } from './use-timings.ts';

const TICKS_MAX = 6;

interface Props {
  readonly build: WorkspaceBuild;
  readonly isLatest: boolean;
  readonly lines: readonly ShownLine[];
  readonly measured: Measured;
}

/** Where the time of a build went: a table of its steps, with a bar in each row, that leads to their lines in the log. */
export function BuildTimeline({ build, isLatest, lines, measured: { timings, error } }: Props): React.JSX.Element {
  const [showsAll, setShowsAll] = useState(false);
  const bars = useMemo(() => barsOf({ build, timings, lines, isLatest }), [build, timings, lines, isLatest]);
  const moves = isMoving(bars);
  const now = useTickingNow(moves);
  const span = spanOf(bars, now);
  const ticks = ticksOf(span, TICKS_MAX);
  const shown = showsAll ? bars : shownBars(bars);
  return (
    <Stack gap="xs" component="section" aria-label="Timeline">
      <Group justify="space-between" gap="xs">
        <Title order={2}>Timeline</Title>
        <Text size="sm" c="dimmed" className="tabular">
          {moves ? 'Live' : `${duration(span.to - Math.min(...bars.map(({ from }) => from)))} total`}
        </Text>
      </Group>
      {error !== null && timings === undefined && <ErrorNotice error={error} title="What was measured could not be loaded" />}
      <div className={`surface ${classes['frame'] ?? ''}`}>
        <table className={classes['table']} aria-label="Steps of the build">
          <thead>
            <tr>
              <th scope="col" className={classes['name']}>
                Step
              </th>
              <th scope="col" className={classes['took']}>
                Took
              </th>
              <th scope="col" className={classes['track']}>
                <VisuallyHidden>When</VisuallyHidden>
                <Ruler ticks={ticks} />
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((bar) => (
              <BarRow key={bar.key} bar={bar} span={span} now={now} ticks={ticks} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < bars.length && (
        <Group>
          <Button size="xs" variant="default" onClick={() => setShowsAll(true)}>
            Show all {bars.length} steps
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Ruler({ ticks }: { ticks: readonly Tick[] }): React.JSX.Element {
  return (
    <div className={classes['ruler']} aria-hidden>
      {ticks.map(({ place, text }) => (
        <span key={text} style={{ left: `${place * 100}%` }}>
          {text}
        </span>
      ))}
    </div>
  );
}

interface RowProps {
  readonly bar: Bar;
  readonly span: Span;
  readonly now: number;
  readonly ticks: readonly Tick[];
}

function BarRow({ bar, span, now, ticks }: RowProps): React.JSX.Element {
  const to = bar.to ?? now;
  const left = placeOf(span, bar.from);
  const took = duration(to - bar.from);
  const when = `${exactTime(new Date(bar.from).toISOString())}${bar.to === null ? ', under way' : ''}`;
  const words = [bar.detail, bar.hasFailed && bar.detail === '' ? 'failed' : ''].filter((part) => part !== '').join(' · ');
  return (
    <tr className={classes['row']}>
      <th scope="row" className={classes['name']} data-kind={bar.kind}>
        <Tooltip label={[bar.name, words, when, took].filter((part) => part !== '').join(' · ')} multiline maw={360}>
          {bar.log === null ? (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what is said on hover must be there for the keyboard too
            <span tabIndex={0} className={classes['label']}>
              {bar.name}
            </span>
          ) : (
            <Link
              from="/@{$owner}/$name/builds/$number"
              to="."
              search={bar.log.agent === null ? {} : { log: bar.log.agent }}
              hash={fragmentOf(bar.log.target)}
              className={classes['label']}
            >
              {bar.name}
            </Link>
          )}
        </Tooltip>
        <VisuallyHidden>{[words, when].filter((part) => part !== '').join(', ')}</VisuallyHidden>
      </th>
      <td className={classes['took']} data-failed={bar.hasFailed || undefined}>
        {took}
        {bar.to === null && <span className={classes['open']}> so far</span>}
      </td>
      <td className={classes['track']}>
        <div className={classes['lane']} aria-hidden>
          {ticks.map(({ place, text }) => (
            <span key={text} className={classes['line']} style={{ left: `${place * 100}%` }} />
          ))}
          <span
            className={classes['bar']}
            data-kind={bar.kind}
            data-failed={bar.hasFailed || undefined}
            data-running={bar.to === null || undefined}
            data-cut={(span.isCut && bar.kind === 'queue') || undefined}
            style={{ left: `${left * 100}%`, width: `${(placeOf(span, to) - left) * 100}%` }}
          />
        </div>
      </td>
    </tr>
  );
}
