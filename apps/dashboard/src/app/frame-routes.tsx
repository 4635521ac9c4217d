import { Outlet, createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { appearanceQuery } from '../features/appearance/brand.ts';
import { loadMe } from '../features/session/session.ts';
import { Shell } from '../shell/Shell.tsx';
import { StandaloneFailure } from './FailurePage.tsx';

/** What stands around the pages: nothing, a session, the shell. */

export const root = createRootRoute({ component: Outlet, errorComponent: StandaloneFailure });

export const session = createRoute({
  getParentRoute: () => root,
  id: 'session',
  beforeLoad: async ({ location }) => {
    // Asked for at once, so that banners are there with the page and move nothing later.
    void queryClient.prefetchQuery(appearanceQuery());
    if ((await loadMe()) === null) throw redirect({ to: '/login', search: location.pathname === '/' ? {} : { redirect: location.href } });
  },
  component: Outlet,
  errorComponent: StandaloneFailure,
});

export const shell = createRoute({
  getParentRoute: () => session,
  id: 'shell',
  // A page without banners is better than none.
  loader: () => queryClient.ensureQueryData(appearanceQuery()).catch(() => undefined),
  component: Shell,
});

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the keys that have no value, which the URL leaves out too. */
export function defined<T extends Record<string, unknown>>(search: T): Defined<T> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Defined<T>;
}
