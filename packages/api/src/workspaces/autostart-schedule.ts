const FIELDS = ['minute', 'hour', 'day of month', 'month', 'weekday'] as const;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

/**
 * Why an autostart schedule is refused, or null. It is `minute hour * * weekday`, with an optional `CRON_TZ=<IANA zone>` before it;
 * lists, ranges, steps and names of weekdays are fine, descriptors such as `@daily` are not.
 */
export function autostartProblem(schedule: string): string | null {
  const words = schedule.trim().split(/\s+/);
  const zone = /^(?:CRON_)?TZ=(.*)$/.exec(words[0] ?? '')?.[1];
  if (zone !== undefined) {
    words.shift();
    if (!isZone(zone)) return `"${zone}" is not a time zone such as Europe/Lisbon.`;
  }
  const [minute, hour, dayOfMonth, month, weekday, ...rest] = words;
  if (minute === undefined || hour === undefined || weekday === undefined || rest.length > 0) {
    return `Must have five fields: ${FIELDS.join(', ')}.`;
  }
  if (dayOfMonth !== '*' || month !== '*') return 'The day of month and the month must be *.';
  return (
    fieldProblem('minute', minute, { min: 0, max: 59, names: [] }) ??
    fieldProblem('hour', hour, { min: 0, max: 23, names: [] }) ??
    fieldProblem('weekday', weekday, { min: 0, max: 7, names: WEEKDAYS })
  );
}

/** The zone of the server itself is refused: the same schedule would mean another time elsewhere. */
function isZone(zone: string): boolean {
  if (zone === '' || zone.toLowerCase() === 'local') return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

function fieldProblem(name: string, field: string, bounds: Bounds): string | null {
  const isFine = field.split(',').every((part) => isPart(part, bounds));
  return isFine ? null : `"${field}" is no ${name} from ${bounds.min} to ${bounds.max}.`;
}

function isPart(part: string, bounds: Bounds): boolean {
  const [range = '', step, ...rest] = part.split('/');
  if (rest.length > 0 || (step !== undefined && !/^[1-9]\d?$/.test(step))) return false;
  if (range === '*') return true;
  const ends = range.split('-').map((end) => valueOf(end, bounds));
  const [from = null, to = from] = ends;
  return ends.length <= 2 && from !== null && to !== null && from <= to;
}

function valueOf(text: string, { min, max, names }: Bounds): number | null {
  const named = names.indexOf(text.toLowerCase());
  if (named !== -1) return named;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : null;
}
