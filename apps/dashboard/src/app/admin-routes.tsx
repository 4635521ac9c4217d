import { createRoute, redirect } from '@tanstack/react-router';
import type { Source } from '../features/deployment-settings/sources.ts';
import { SOURCES } from '../features/deployment-settings/sources.ts';
import { unusedSpan } from '../features/tokens/unused-spans.ts';
import { dayParam, pageParam, textParam } from '../ui/search-params.ts';
import { defined, shell } from './frame-routes.tsx';
import { lazyPage } from './lazy-page.ts';

/** The pages about the deployment itself. */

const admin = createRoute({
  getParentRoute: () => shell,
  path: '/admin',
  component: lazyPage(() => import('../features/admin/AdminLayout.tsx'), 'AdminLayout'),
});

const adminHome = createRoute({
  getParentRoute: () => admin,
  path: '/',
  component: lazyPage(() => import('../features/admin/AdminHome.tsx'), 'AdminHome'),
});

const health = createRoute({
  getParentRoute: () => admin,
  path: '/health',
  component: lazyPage(() => import('../features/health/HealthPage.tsx'), 'HealthPage'),
});

const provisioners = createRoute({
  getParentRoute: () => admin,
  path: '/provisioners',
  component: lazyPage(() => import('../features/provisioners/ProvisionersPage.tsx'), 'ProvisionersPage'),
});

const proxies = createRoute({
  getParentRoute: () => admin,
  path: '/proxies',
  component: lazyPage(() => import('../features/proxies/ProxiesPage.tsx'), 'ProxiesPage'),
});

const externalAuth = createRoute({
  getParentRoute: () => admin,
  path: '/external-auth',
  component: lazyPage(() => import('../features/external-auth-setup/ExternalAuthSetupPage.tsx'), 'ExternalAuthSetupPage'),
});

const appearance = createRoute({
  getParentRoute: () => admin,
  path: '/appearance',
  component: lazyPage(() => import('../features/appearance/AppearancePage.tsx'), 'AppearancePage'),
});

export interface InsightsSearch {
  /** The first and the last day, as 2026-03-14. */
  readonly from?: string;
  readonly to?: string;
  readonly interval?: 'week';
}

const insights = createRoute({
  getParentRoute: () => admin,
  path: '/insights',
  validateSearch: (search): InsightsSearch =>
    defined({
      from: dayParam(search['from']),
      to: dayParam(search['to']),
      interval: search['interval'] === 'week' ? ('week' as const) : undefined,
    }),
  component: lazyPage(() => import('../features/insights/InsightsPage.tsx'), 'InsightsPage'),
});

export interface SettingsSearch {
  readonly q?: string;
  readonly source?: Source;
  /** The one that a link leads to. */
  readonly option?: string;
}

const settings = createRoute({
  getParentRoute: () => admin,
  path: '/settings',
  validateSearch: (search): SettingsSearch =>
    defined({
      q: textParam(search['q'], 200),
      source: SOURCES.find((source) => source === search['source']),
      option: textParam(search['option'], 100),
    }),
  component: lazyPage(() => import('../features/deployment-settings/SettingsPage.tsx'), 'SettingsPage'),
});

const oauth2Apps = createRoute({
  getParentRoute: () => admin,
  path: '/oauth2-apps',
  component: lazyPage(() => import('../features/oauth2-apps/OAuth2AppsPage.tsx'), 'OAuth2AppsPage'),
});

const oauth2App = createRoute({
  getParentRoute: () => admin,
  path: '/oauth2-apps/$app',
  component: lazyPage(() => import('../features/oauth2-apps/OAuth2AppPage.tsx'), 'OAuth2AppPage'),
});

const tokens = createRoute({
  getParentRoute: () => admin,
  path: '/tokens',
  validateSearch: (search): { q?: string; unused?: number; page?: number } =>
    defined({ q: textParam(search['q'], 200), unused: unusedSpan(search['unused']), page: pageParam(search['page']) }),
  component: lazyPage(() => import('../features/tokens/AllTokensPage.tsx'), 'AllTokensPage'),
});

export const adminPages = admin.addChildren([
  adminHome,
  health,
  provisioners,
  proxies,
  externalAuth,
  appearance,
  insights,
  settings,
  oauth2Apps,
  oauth2App,
  tokens,
]);

/** Addresses that the API gives, and those that pages had before: they stay when pages move. */
export const adminAddresses = [
  createRoute({
    getParentRoute: () => shell,
    path: '/deployment/oauth2-provider/apps/$app',
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/admin/oauth2-apps/$app', params, replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/people/oauth2-apps',
    beforeLoad: () => {
      throw redirect({ to: '/admin/oauth2-apps', replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/people/oauth2-apps/$app',
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/admin/oauth2-apps/$app', params, replace: true });
    },
  }),
];
