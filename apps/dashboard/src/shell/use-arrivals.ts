import { useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { rememberPath } from '../features/commands/recent-places.ts';
import { meQuery } from '../features/session/session.ts';

/** For how long a page may take to show its heading. */
const SETTLE_MS = 15_000;

/**
 * What a browser does by itself when a page is loaded: the focus is at the beginning of the new page, so that the keyboard goes on there and
 * screen readers read its heading. A field that took the focus by itself keeps it. Places that were opened are remembered for the palette.
 */
export function useArrivals(): void {
  const router = useRouter();
  const { data: me } = useSuspenseQuery(meQuery());
  useEffect(() => {
    let settle: () => void = () => undefined;
    rememberPath(localStorage, me.id, router.state.location.pathname);
    const forget = router.subscribe('onRendered', ({ toLocation, pathChanged }) => {
      if (!pathChanged) return;
      rememberPath(localStorage, me.id, toLocation.pathname);
      settle();
      const content = document.getElementById('content');
      if (content !== null) settle = arriveAt(content);
    });
    return () => {
      settle();
      forget();
    };
  }, [router, me.id]);
}

/**
 * Gives the focus to the heading of the page in `content`, and again to the one that takes its place when the page has loaded, until the
 * person does something. The function that is returned ends that early.
 */
function arriveAt(content: HTMLElement): () => void {
  const { activeElement } = document;
  if (activeElement !== null && activeElement.matches('input, textarea, select') && content.contains(activeElement)) return () => undefined;
  const focus = (): void => (content.querySelector<HTMLElement>('h1') ?? content).focus({ preventScroll: true });
  focus();
  const observer = new MutationObserver(() => {
    // The heading went with what stood there while the page was loading, or there was none yet.
    if (document.activeElement === document.body || document.activeElement === content) focus();
  });
  observer.observe(content, { childList: true, subtree: true });
  const end = new AbortController();
  const stop = (): void => {
    observer.disconnect();
    clearTimeout(timer);
    end.abort();
  };
  const timer = setTimeout(stop, SETTLE_MS);
  for (const act of ['keydown', 'pointerdown'] as const) document.addEventListener(act, stop, { capture: true, signal: end.signal });
  return stop;
}
