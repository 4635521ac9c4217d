import { duration, exactTime } from '../../ui/relative-time.ts';
import { ansiSpans } from './ansi.ts';
import type { LogRow, ShownLine } from './log-lines.ts';
import { cutAtMatches } from './log-lines.ts';
import classes from './LogView.module.css';

interface Props {
  readonly row: LogRow;
  readonly search: string;
  /** The line that the address names or that was found. */
  readonly isMarked: boolean;
  /** Its address; undefined in a log whose lines have none. */
  readonly hrefOf: ((number: number) => string) | undefined;
  readonly onPick: (number: number) => void;
}

/** A row of a log: where a stage begins, or a line. */
export function LogRowView({ row, search, isMarked, hrefOf, onPick }: Props): React.JSX.Element {
  if (row.kind === 'heading') {
    return (
      <h3 className={classes['heading']} data-failed={row.hasErrors}>
        <span>{row.stage}</span>
        {row.tookMs !== null && <span className={classes['took']}>{duration(row.tookMs)}</span>}
      </h3>
    );
  }
  const { line, number } = row;
  return (
    <div
      className={classes['line']}
      data-level={line.level}
      data-marked={isMarked || undefined}
      aria-current={isMarked ? 'location' : undefined}
      title={exactTime(line.at)}
    >
      {hrefOf === undefined ? (
        <span className={classes['number']} aria-hidden>
          {number}
        </span>
      ) : (
        <a
          className={classes['number']}
          href={hrefOf(number)}
          aria-label={`Copy the link to line ${number}`}
          // Thousands of stops would keep the keyboard from ever leaving; the line that was found is one.
          tabIndex={isMarked ? 0 : -1}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            onPick(number);
          }}
        >
          {number}
        </a>
      )}
      <span className={classes['time']} aria-hidden>
        {line.at.slice(11, 23)}
      </span>
      {(line.level === 'error' || line.level === 'warn') && <span className={classes['level']}>{line.level}</span>}
      <span className={classes['text']}>
        <LineText line={line} search={search} />
      </span>
    </div>
  );
}

function LineText({ line, search }: { line: ShownLine; search: string }): React.ReactNode {
  const pieces = cutAtMatches(line.text, search);
  if (pieces.length > 1) return pieces.map((piece, index) => (index % 2 === 0 ? piece : <mark key={index}>{piece}</mark>));
  if (line.colored === undefined) return line.text;
  return ansiSpans(line.colored).map(({ text, color, isBold, isDim, isUnderlined }, index) => (
    <span
      key={index}
      data-ansi={color}
      data-bold={isBold || undefined}
      data-dim={isDim || undefined}
      data-underlined={isUnderlined || undefined}
    >
      {text}
    </span>
  ));
}
