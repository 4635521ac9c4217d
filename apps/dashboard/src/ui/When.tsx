import { useNow } from './clock.ts';
import { exactTime, relativeTime } from './relative-time.ts';

/** A time as people say it, with the exact one on hover. Absent times and the zero time read as `never`. */
export function When({ at, never = 'never' }: { at: string | null; never?: string }): React.JSX.Element {
  const now = useNow();
  if (at === null || at.startsWith('0001-')) return <span>{never}</span>;
  return (
    <time dateTime={at} title={exactTime(at)} style={{ whiteSpace: 'nowrap' }}>
      {relativeTime(Date.parse(at), now)}
    </time>
  );
}
