import { createRoute } from '@tanstack/react-router';
import { textParam } from '../ui/search-params.ts';
import { defined, shell } from './frame-routes.tsx';
import { lazyPage } from './lazy-page.ts';

/** The audit log. */

export interface AuditSearchParams {
  readonly q?: string;
  /** The cursor of the page that is shown. */
  readonly before?: string;
  /** The entry that is open. */
  readonly entry?: string;
  /** Whether new entries come in by themselves. */
  readonly live?: true;
}

const audit = createRoute({
  getParentRoute: () => shell,
  path: '/audit',
  validateSearch: (search): AuditSearchParams =>
    defined({
      q: textParam(search['q']),
      before: textParam(search['before'], 100),
      entry: textParam(search['entry'], 36),
      live: search['live'] === true || search['live'] === 'true' || undefined,
    }),
  component: lazyPage(() => import('../features/audit/AuditPage.tsx'), 'AuditPage'),
});

export const auditPages = [audit] as const;
