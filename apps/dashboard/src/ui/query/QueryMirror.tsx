import { Fragment } from 'react';
import classes from './QueryInput.module.css';
import type { QueryProblem } from './query-text.ts';

interface Props {
  readonly text: string;
  readonly problems: readonly QueryProblem[];
  /** How far the input is scrolled, in pixels. */
  readonly scroll: number;
}

/** Marks the terms of an input that break a rule; the input shows the text itself. */
export function QueryMirror({ text, problems, scroll }: Props): React.JSX.Element | null {
  if (problems.length === 0) return null;
  const spans = apart(problems);
  const last = spans.at(-1)?.end ?? 0;
  return (
    <div aria-hidden="true" className={classes['mirror']}>
      <span style={{ transform: `translateX(${-scroll}px)` }}>
        {spans.map(({ start, end }, index) => (
          <Fragment key={start}>
            {text.slice(spans[index - 1]?.end ?? 0, start)}
            <span className={classes['problem']}>{text.slice(start, end)}</span>
          </Fragment>
        ))}
        {text.slice(last)}
      </span>
    </div>
  );
}

/** In their order, without those that lie in another one. */
function apart(problems: readonly QueryProblem[]): QueryProblem[] {
  const sorted = problems.toSorted((a, b) => a.start - b.start || b.end - a.end);
  return sorted.filter(({ start }, index) => sorted.slice(0, index).every(({ end }) => end <= start));
}
