import { createRoute, redirect } from '@tanstack/react-router';
import { pageParam, textParam } from '../ui/search-params.ts';
import { defined, shell } from './frame-routes.tsx';
import { lazyPage } from './lazy-page.ts';
import type { OrganizationTab, UserTab } from './people-tabs.ts';
import { ORGANIZATION_TABS, USER_TABS } from './people-tabs.ts';

/** The pages about people and what they may do. */

const people = createRoute({
  getParentRoute: () => shell,
  path: '/people',
  component: lazyPage(() => import('../features/access/PeopleLayout.tsx'), 'PeopleLayout'),
});

const peopleHome = createRoute({
  getParentRoute: () => people,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/people/users', replace: true });
  },
});

const users = createRoute({
  getParentRoute: () => people,
  path: '/users',
  validateSearch: (search): { q?: string; page?: number } => defined({ q: textParam(search['q'], 1000), page: pageParam(search['page']) }),
  component: lazyPage(() => import('../features/users/UsersPage.tsx'), 'UsersPage'),
});

const user = createRoute({
  getParentRoute: () => people,
  path: '/users/$user',
  validateSearch: (search): { tab?: UserTab } => defined({ tab: USER_TABS.find((tab) => tab === search['tab'] && tab !== 'overview') }),
  component: lazyPage(() => import('../features/users/UserPage.tsx'), 'UserPage'),
});

const organizations = createRoute({
  getParentRoute: () => people,
  path: '/organizations',
  validateSearch: (search): { page?: number } => defined({ page: pageParam(search['page']) }),
  component: lazyPage(() => import('../features/organizations/OrganizationsPage.tsx'), 'OrganizationsPage'),
});

export interface OrganizationSearch {
  readonly tab?: OrganizationTab;
  /** Narrows the members down. */
  readonly q?: string;
  readonly page?: number;
}

const organization = createRoute({
  getParentRoute: () => people,
  path: '/organizations/$organization',
  validateSearch: (search): OrganizationSearch =>
    defined({
      tab: ORGANIZATION_TABS.find((tab) => tab === search['tab'] && tab !== 'members'),
      q: textParam(search['q'], 200),
      page: pageParam(search['page']),
    }),
  component: lazyPage(() => import('../features/organizations/OrganizationPage.tsx'), 'OrganizationPage'),
});

const group = createRoute({
  getParentRoute: () => people,
  path: '/organizations/$organization/groups/$group',
  component: lazyPage(() => import('../features/groups/GroupPage.tsx'), 'GroupPage'),
});

const organizationRole = createRoute({
  getParentRoute: () => people,
  path: '/organizations/$organization/roles/$role',
  component: lazyPage(() => import('../features/roles/OrganizationRolePage.tsx'), 'OrganizationRolePage'),
});

const roles = createRoute({
  getParentRoute: () => people,
  path: '/roles',
  component: lazyPage(() => import('../features/roles/SiteRolesPage.tsx'), 'SiteRolesPage'),
});

const role = createRoute({
  getParentRoute: () => people,
  path: '/roles/$role',
  component: lazyPage(() => import('../features/roles/SiteRolePage.tsx'), 'SiteRolePage'),
});

/** A question to the explainer: may `user` do `action` to this? */
export interface AccessSearch {
  readonly user?: string;
  readonly type?: string;
  readonly action?: string;
  /** An existing workspace, template, user or group. */
  readonly id?: string;
  readonly organization?: string;
  /** Whether the thing is one of the user's own. */
  readonly own?: boolean;
}

const access = createRoute({
  getParentRoute: () => people,
  path: '/access',
  validateSearch: (search): AccessSearch =>
    defined({
      user: textParam(search['user'], 64),
      type: textParam(search['type'], 64),
      action: textParam(search['action'], 64),
      id: textParam(search['id'], 64),
      organization: textParam(search['organization'], 64),
      own: search['own'] === 'true' || search['own'] === true ? true : undefined,
    }),
  component: lazyPage(() => import('../features/access/AccessPage.tsx'), 'AccessPage'),
});

const sync = createRoute({
  getParentRoute: () => people,
  path: '/sync',
  component: lazyPage(() => import('../features/sync/SyncPage.tsx'), 'SyncPage'),
});

/** Where the links of the audit log lead: addresses that the API gives, which stay when pages move. */
export const peopleAddresses = [
  createRoute({
    getParentRoute: () => shell,
    path: '/users',
    validateSearch: (search): { filter?: string } => defined({ filter: textParam(search['filter'], 1000) }),
    beforeLoad: ({ search }) => {
      throw redirect({ to: '/people/users', search: defined({ q: search.filter }), replace: true });
    },
  }),
];

export const peoplePages = people.addChildren([
  peopleHome,
  users,
  user,
  organizations,
  organization,
  group,
  organizationRole,
  roles,
  role,
  access,
  sync,
]);
