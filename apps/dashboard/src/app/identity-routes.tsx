import { createRoute, redirect } from '@tanstack/react-router';
import { hasFirstUser } from '../features/session/session.ts';
import { textParam } from '../ui/search-params.ts';
import { defined, root, session, shell } from './frame-routes.tsx';
import { lazyPage } from './lazy-page.ts';

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
  component: lazyPage(() => import('../features/session/SignInPage.tsx'), 'SignInPage'),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  beforeLoad: async () => {
    if (await hasFirstUser()) throw redirect({ to: '/login' });
  },
  component: lazyPage(() => import('../features/session/SetUpPage.tsx'), 'SetUpPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: (search): { email?: string } => defined({ email: textParam(search['email'], 320) }),
  component: lazyPage(() => import('../features/session/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
});

const account = createRoute({
  getParentRoute: () => shell,
  path: '/account',
  component: lazyPage(() => import('../features/account/AccountLayout.tsx'), 'AccountLayout'),
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
  component: lazyPage(() => import('../features/account/ProfilePage.tsx'), 'ProfilePage'),
});

const appearance = createRoute({
  getParentRoute: () => account,
  path: '/appearance',
  component: lazyPage(() => import('../features/account/AppearancePage.tsx'), 'AppearancePage'),
});

const tokens = createRoute({
  getParentRoute: () => account,
  path: '/tokens',
  component: lazyPage(() => import('../features/account/TokensPage.tsx'), 'TokensPage'),
});

const security = createRoute({
  getParentRoute: () => account,
  path: '/security',
  component: lazyPage(() => import('../features/account/SecurityPage.tsx'), 'SecurityPage'),
});

const authorizedApps = createRoute({
  getParentRoute: () => account,
  path: '/apps',
  component: lazyPage(() => import('../features/account/AuthorizedAppsPage.tsx'), 'AuthorizedAppsPage'),
});

const externalAccounts = createRoute({
  getParentRoute: () => account,
  path: '/external',
  component: lazyPage(() => import('../features/external-auth/ExternalAccountsPage.tsx'), 'ExternalAccountsPage'),
});

const sshKey = createRoute({
  getParentRoute: () => account,
  path: '/ssh-key',
  component: lazyPage(() => import('../features/account/SshKeyPage.tsx'), 'SshKeyPage'),
});

const quietHours = createRoute({
  getParentRoute: () => account,
  path: '/quiet-hours',
  component: lazyPage(() => import('../features/account/QuietHoursPage.tsx'), 'QuietHoursPage'),
});

const quota = createRoute({
  getParentRoute: () => account,
  path: '/quota',
  component: lazyPage(() => import('../features/account/QuotaPage.tsx'), 'QuotaPage'),
});

const about = createRoute({
  getParentRoute: () => account,
  path: '/about',
  component: lazyPage(() => import('../features/account/AboutPage.tsx'), 'AboutPage'),
});

const externalAuth = createRoute({
  getParentRoute: () => shell,
  path: '/external-auth/$id',
  validateSearch: (search): { redirected?: boolean; error?: string } =>
    defined({ redirected: flag(search['redirected']), error: textParam(search['error'], 300) }),
  component: lazyPage(() => import('../features/external-auth/ExternalAuthPage.tsx'), 'ExternalAuthPage'),
});

/** Longer than the server takes, so that it refuses what is too long: a text that was cut here would be another request. */
const CONSENT_TEXT_MAX = 5000;

/** An authorization request as the application wrote it: nothing of it is read or mended here, the server judges it. */
export interface ConsentSearch {
  readonly client_id: string;
  readonly redirect_uri?: string;
  readonly response_type?: string;
  readonly scope?: string;
  readonly state?: string;
  readonly code_challenge?: string;
  readonly code_challenge_method?: string;
}

const consent = createRoute({
  getParentRoute: () => session,
  path: '/oauth2/authorize',
  validateSearch: (search): ConsentSearch => ({
    client_id: textParam(search['client_id'], CONSENT_TEXT_MAX) ?? '',
    ...defined({
      redirect_uri: textParam(search['redirect_uri'], CONSENT_TEXT_MAX),
      response_type: textParam(search['response_type'], CONSENT_TEXT_MAX),
      scope: textParam(search['scope'], CONSENT_TEXT_MAX),
      state: textParam(search['state'], CONSENT_TEXT_MAX),
      code_challenge: textParam(search['code_challenge'], CONSENT_TEXT_MAX),
      code_challenge_method: textParam(search['code_challenge_method'], CONSENT_TEXT_MAX),
    }),
  }),
  component: lazyPage(() => import('../features/oauth2/ConsentPage.tsx'), 'ConsentPage'),
});

const device = createRoute({
  getParentRoute: () => session,
  path: '/device',
  validateSearch: (search): { user_code?: string } => defined({ user_code: textParam(search['user_code'], 64) }),
  component: lazyPage(() => import('../features/oauth2/DevicePage.tsx'), 'DevicePage'),
});

const cliAuth = createRoute({
  getParentRoute: () => session,
  path: '/cli-auth',
  component: lazyPage(() => import('../features/cli-auth/CliAuthPage.tsx'), 'CliAuthPage'),
});

/** Those before a session. */
export const sessionPages = [login, setup, resetPassword] as const;
/** Those with a session, and without the shell: they come up in the middle of something else. */
export const consentPages = [consent, device, cliAuth] as const;
/** Those inside the shell. */
export const accountPages = [
  account.addChildren([
    accountHome,
    profile,
    appearance,
    security,
    tokens,
    authorizedApps,
    externalAccounts,
    sshKey,
    quietHours,
    quota,
    about,
  ]),
  externalAuth,
] as const;
