/** Types only: what `packages/client` and the dashboard may know of the API. */
export type { AppRouter } from './router.ts';
