import { createRouter } from '@tanstack/react-router';
import { parseSearchText, searchText } from '../ui/search-params.ts';
import { FailurePage, StandaloneNotFound } from './FailurePage.tsx';
import { LoadingPage } from './LoadingPage.tsx';
import { routeTree } from './routes.tsx';

export const router = createRouter({
  routeTree,
  parseSearch: parseSearchText,
  stringifySearch: searchText,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingComponent: LoadingPage,
  defaultPendingMs: 300,
  defaultErrorComponent: FailurePage,
  defaultNotFoundComponent: StandaloneNotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
