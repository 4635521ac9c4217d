import { autostartProblem } from '@berth/domain';
import { usageError } from '../../frame/errors.ts';

const EXAMPLE = 'Write it as: 9:30 mon-fri Europe/Lisbon';

/** The schedule that the words mean, as the server keeps it; null is none. */
export function autostartFrom(words: readonly string[], localZone: string): string | null {
  const given = words.join(' ').trim();
  if (given === '') throw usageError('Say when it starts.', { next: EXAMPLE });
  if (given === 'off') return null;
  const cron = /(^|\s)\S+ \S+ \* \* \S+$/.test(given) ? given : cronFrom(given.split(/\s+/), localZone);
  const problem = autostartProblem(cron);
  if (problem !== null) throw usageError(`The schedule cannot be read: ${problem}`, { next: EXAMPLE });
  return cron;
}

function cronFrom([time = '', ...others]: readonly string[], localZone: string): string {
  const [, hour = '', minute = '0', half = ''] = /^(\d{1,2})(?::(\d{2}))?(am|pm)?$/i.exec(time) ?? [];
  const isZone = (word: string): boolean => word.includes('/') || word === 'UTC';
  const days = others.filter((word) => !isZone(word));
  if (hour === '' || days.length > 1 || others.length - days.length > 1) {
    throw usageError(`"${[time, ...others].join(' ')}" is not a valid schedule.`, { next: EXAMPLE });
  }
  return `CRON_TZ=${others.find(isZone) ?? localZone} ${Number(minute)} ${hourOf(Number(hour), half.toLowerCase())} * * ${(days[0] ?? '*').toLowerCase()}`;
}

function hourOf(hour: number, half: string): number {
  if (half === '') return hour;
  if (hour < 1 || hour > 12) throw usageError(`${hour}${half} is not a time of day.`, { next: EXAMPLE });
  return (hour % 12) + (half === 'pm' ? 12 : 0);
}
