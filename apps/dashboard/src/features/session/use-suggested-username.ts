import { usernameFrom } from '@berth/domain';
import { useRef } from 'react';

interface Field {
  /** What stands in the field for the username. */
  readonly current: () => string;
  readonly set: (username: string) => void;
}

/** Follows the e-mail address while it is typed, so that a username stands there before its field is reached, until someone chooses another. */
export function useSuggestedUsername({ current, set }: Field): (email: string) => void {
  const suggested = useRef('');
  return (email) => {
    if (current() !== suggested.current) return;
    suggested.current = email.includes('@') ? usernameFrom(email.trim(), Math.random).toLowerCase() : '';
    set(suggested.current);
  };
}
