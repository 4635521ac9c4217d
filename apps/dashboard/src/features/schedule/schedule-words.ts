import type { Outputs } from '../../api/trpc.ts';
import { spanText } from '../../ui/durations.ts';

export type Schedule = Outputs['workspaces']['schedule'];
export type ScheduledEvent = Schedule['events'][number];

/** What happens, in two words. */
export const EVENT_NAMES = {
  autostart: 'Starts',
  autostop: 'Stops',
  must_stop: 'Must stop',
  failure_stop: 'Is cleaned up',
  dormant: 'Goes dormant',
  delete: 'Is deleted',
} as const satisfies Record<ScheduledEvent['kind'], string>;

/** Why it happens then. */
export function ruleSentence({ rule, value }: Pick<ScheduledEvent, 'rule' | 'value'>): string {
  const span = typeof value === 'number' ? spanText(value) : '';
  const text = typeof value === 'string' ? value : '';
  switch (rule) {
    case 'ttl':
      return span === '' ? 'Its time to run is over then.' : `It runs for ${span} after a start.`;
    case 'template_ttl':
      return `Its template lets it run for ${span} after a start.`;
    case 'autostop_requirement':
      return text === '' ? 'Its template wants it stopped from time to time.' : `Its template wants it stopped: ${text}.`;
    case 'autostart':
      return text === '' ? 'Its schedule says so.' : `Its schedule: ${text.replace(/^(?:CRON_)?TZ=(\S+) (.*)$/, '$2 ($1)')}.`;
    case 'extended':
      return 'Somebody extended it until then.';
    case 'activity':
      return `It was used, which keeps it up for another ${span}.`;
    case 'owner_suspended':
      return 'The account of its owner is suspended.';
    case 'dormant':
      return 'It is dormant.';
    case 'failure_ttl':
      return `Its template cleans up ${span} after a failed start.`;
    case 'time_til_dormant':
      return `Nobody used it for ${span} by then. Using it puts this off.`;
    case 'time_til_dormant_autodelete':
      return `It was dormant for ${span} by then. Its files go with it.`;
  }
}
