import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { rememberPath } from '../features/commands/recent-places.ts';
import { meQuery } from '../features/session/session.ts';

/**
 * What a browser does by itself when a page is loaded: the focus is at the beginning of the new page, so that the keyboard goes on there and
 * screen readers read its heading. A field that took the focus by itself keeps it. Places that were opened are remembered for the palette.
 */
export function useArrivals(): void {
  const router = useRouter();
  const { data: me } = useSuspenseQuery(meQuery());
  useEffect(() => {
    rememberPath(localStorage, me.id, router.state.location.pathname);
    return router.subscribe('onRendered', ({ toLocation, pathChanged }) => {
      if (!pathChanged) return;
      rememberPath(localStorage, me.id, toLocation.pathname);
      const content = document.getElementById('content');
      if (content === null) return;
      const { activeElement } = document;
      if (activeElement !== null && activeElement.matches('input, textarea, select') && content.contains(activeElement)) return;
      (content.querySelector('h1') ?? content).focus({ preventScroll: true });
    });
  }, [router, me.id]);
}
