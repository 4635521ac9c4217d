import type { LogLevel } from '@berth/domain';

/** A line as it is shown, whatever log it is from. */
export interface ShownLine {
  readonly id: number;
  readonly at: string;
  readonly level: LogLevel;
  readonly text: string;
  /** The heading under which the line stands; empty for none. */
  readonly stage: string;
}

export interface LogGroup {
  /** Unique within the log, also when a stage comes again later. */
  readonly key: string;
  readonly stage: string;
  readonly startedAt: string;
  /** The time of its last line so far. */
  readonly endedAt: string;
  readonly lines: readonly ShownLine[];
  readonly hasErrors: boolean;
}

/** Groups neighbouring lines of one stage, in order: what was interleaved stays where it happened. */
export function groupByStage(lines: readonly ShownLine[]): LogGroup[] {
  const groups: { key: string; stage: string; startedAt: string; endedAt: string; lines: ShownLine[]; hasErrors: boolean }[] = [];
  for (const line of lines) {
    let group = groups.at(-1);
    if (group === undefined || group.stage !== line.stage) {
      group = { key: `${line.id}`, stage: line.stage, startedAt: line.at, endedAt: line.at, lines: [], hasErrors: false };
      groups.push(group);
    }
    group.lines.push(line);
    group.endedAt = line.at;
    group.hasErrors ||= line.level === 'error';
  }
  return groups;
}

// oxlint-disable-next-line no-control-regex -- terminal sequences begin with one
const TERMINAL_SEQUENCE = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
// oxlint-disable-next-line no-control-regex -- the other control characters
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** What a program printed, as plain text: without colours and cursor moves, and of a line that redraws itself only the last state. */
export function plainText(output: string): string {
  const text = output.replace(TERMINAL_SEQUENCE, '').replace(/\r?\n$/, '');
  return text
    .split('\n')
    .map((line) => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1).replace(CONTROL, ''))
    .join('\n');
}
