import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { hasFirstUser } from '../features/session/session.ts';
import { textParam } from '../ui/search-params.ts';
import { defined, root, shell } from './frame-routes.tsx';

/** The pages around one's own identity: getting in, one's account, and what acts for one elsewhere. */

const flag = (value: unknown): true | undefined => (value === true || value === 'true' ? true : undefined);

export interface LoginSearch {
  /** Where to go on afterwards. */
  readonly redirect?: string;
  /** The session that was there has ended. */
  readonly expired?: boolean;
  /** Why signing in with a provider did not work: one of a closed list of codes. */
  readonly error?: string;
}

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search): LoginSearch =>
    defined({ redirect: textParam(search['redirect']), expired: flag(search['expired']), error: textParam(search['error'], 64) }),
  beforeLoad: async () => {
    if (!(await hasFirstUser())) throw redirect({ to: '/setup' });
  },
  component: lazyRouteComponent(() => import('../features/session/SignInPage.tsx'), 'SignInPage'),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  beforeLoad: async () => {
    if (await hasFirstUser()) throw redirect({ to: '/login' });
  },
  component: lazyRouteComponent(() => import('../features/session/SetUpPage.tsx'), 'SetUpPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('../features/session/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
});

const account = createRoute({
  getParentRoute: () => shell,
  path: '/account',
  component: lazyRouteComponent(() => import('../features/account/AccountLayout.tsx'), 'AccountLayout'),
});

const accountHome = createRoute({
  getParentRoute: () => account,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/account/profile', replace: true });
  },
});

const profile = createRoute({
  getParentRoute: () => account,
  path: '/profile',
  component: lazyRouteComponent(() => import('../features/account/ProfilePage.tsx'), 'ProfilePage'),
});

const appearance = createRoute({
  getParentRoute: () => account,
  path: '/appearance',
  component: lazyRouteComponent(() => import('../features/account/AppearancePage.tsx'), 'AppearancePage'),
});

const tokens = createRoute({
  getParentRoute: () => account,
  path: '/tokens',
  component: lazyRouteComponent(() => import('../features/account/TokensPage.tsx'), 'TokensPage'),
});

const about = createRoute({
  getParentRoute: () => account,
  path: '/about',
  component: lazyRouteComponent(() => import('../features/account/AboutPage.tsx'), 'AboutPage'),
});

/** Those that stand alone. */
export const sessionPages = [login, setup, resetPassword] as const;
/** Those inside the shell. */
export const accountPages = account.addChildren([accountHome, profile, appearance, tokens, about]);
