import { useCallback, useLayoutEffect, useRef } from 'react';

/** The same function for as long as the component lives, which calls the latest one: what gets it is not drawn anew for nothing. */
export function useStable<Args extends readonly unknown[]>(latest: (...args: Args) => void): (...args: Args) => void {
  const current = useRef(latest);
  useLayoutEffect(() => {
    current.current = latest;
  });
  return useCallback((...args) => current.current(...args), []);
}
