import { useEffect, useState } from 'react';

const TICK_MS = 500;

/** The present in milliseconds: moves while something does, and else stands where it last was. */
export function useTickingNow(isMoving: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isMoving) return undefined;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  return now;
}
