import { useDevicePreferences } from './device-preferences.ts';
import { useNow } from './clock.ts';
import { exactTime, relativeTime, shortTime } from './relative-time.ts';

/**
 * A time as people say it, with the exact one on hover; for who asked for it in their account, the exact one at once. Absent times and the
 * zero time read as `never`.
 */
export function When({ at, never = 'never' }: { at: string | null; never?: string }): React.JSX.Element {
  const now = useNow();
  const { exactTimes } = useDevicePreferences();
  if (at === null || at.startsWith('0001-')) return <span>{never}</span>;
  if (!exactTimes) {
    return (
      <time dateTime={at} title={exactTime(at)} style={{ whiteSpace: 'nowrap' }}>
        {relativeTime(Date.parse(at), now)}
      </time>
    );
  }
  const { day, time } = shortTime(at, now);
  // Breaks between the two where there is no room for both in one line, and is never cut off.
  return (
    <time dateTime={at} title={exactTime(at)} style={{ whiteSpace: 'normal' }}>
      <span style={{ whiteSpace: 'nowrap' }}>{day},</span> <span style={{ whiteSpace: 'nowrap' }}>{time}</span>
    </time>
  );
}
