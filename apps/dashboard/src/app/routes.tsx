import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { pageParam, textParam } from '../ui/search-params.ts';
import { defined, root, session, shell } from './frame-routes.tsx';
import { accountPages, consentPages, sessionPages } from './identity-routes.tsx';
import { peopleAddresses, peoplePages } from './people-routes.tsx';
import { templatePages } from './template-routes.tsx';
import type { WorkspaceTab } from './workspace-tabs.ts';
import { WORKSPACE_TABS } from './workspace-tabs.ts';

/** Every page is a chunk of its own; only the shell and this table come with the first load. */

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/workspaces', replace: true });
  },
});

export interface WorkspacesSearch {
  readonly q?: string;
  readonly page?: number;
}

const workspaces = createRoute({
  getParentRoute: () => shell,
  path: '/workspaces',
  validateSearch: (search): WorkspacesSearch => defined({ q: textParam(search['q']), page: pageParam(search['page']) }),
  component: lazyRouteComponent(() => import('../features/workspaces/WorkspacesPage.tsx'), 'WorkspacesPage'),
});

const newWorkspace = createRoute({
  getParentRoute: () => shell,
  path: '/workspaces/new',
  validateSearch: (search): { template?: string } => defined({ template: textParam(search['template'], 64) }),
  component: lazyRouteComponent(() => import('../features/create-workspace/CreateWorkspacePage.tsx'), 'CreateWorkspacePage'),
});

/** Which shells are open, and which of them is in front. */
export interface ShellSearch {
  readonly agent?: string | undefined;
  readonly shells?: string | undefined;
  readonly shell?: number | undefined;
}

const SHELLS_TEXT_MAX = 1500;

const shellSearch = (search: Record<string, unknown>): ShellSearch => ({
  agent: textParam(search['agent'], 64),
  shells: textParam(search['shells'], SHELLS_TEXT_MAX),
  shell: pageParam(search['shell']),
});

const workspace = createRoute({
  getParentRoute: () => shell,
  path: '/@{$owner}/$name',
  validateSearch: (search): { tab?: WorkspaceTab; page?: number } & ShellSearch =>
    defined({
      ...shellSearch(search),
      tab: WORKSPACE_TABS.find((tab) => tab === search['tab'] && tab !== 'overview'),
      page: pageParam(search['page']),
    }),
  component: lazyRouteComponent(() => import('../features/workspace/WorkspacePage.tsx'), 'WorkspacePage'),
});

const build = createRoute({
  getParentRoute: () => shell,
  path: '/@{$owner}/$name/builds/$number',
  component: lazyRouteComponent(() => import('../features/builds/BuildPage.tsx'), 'BuildPage'),
});

const terminal = createRoute({
  getParentRoute: () => session,
  path: '/@{$owner}/$name/terminal',
  validateSearch: (search): ShellSearch => defined({ ...shellSearch(search) }),
  component: lazyRouteComponent(() => import('../features/terminal/TerminalPage.tsx'), 'TerminalPage'),
});

const received = createRoute({
  getParentRoute: () => shell,
  path: '/shared',
  component: lazyRouteComponent(() => import('../features/shares/ReceivedSharesPage.tsx'), 'ReceivedSharesPage'),
});

const sharedTerminal = createRoute({
  getParentRoute: () => session,
  path: '/shared/$share',
  validateSearch: (search): ShellSearch => defined({ ...shellSearch(search) }),
  component: lazyRouteComponent(() => import('../features/shares/SharedTerminalPage.tsx'), 'SharedTerminalPage'),
});

export interface AuditSearchParams {
  readonly q?: string;
  /** The cursor of the page that is shown. */
  readonly before?: string;
}

const audit = createRoute({
  getParentRoute: () => shell,
  path: '/audit',
  validateSearch: (search): AuditSearchParams => defined({ q: textParam(search['q']), before: textParam(search['before'], 100) }),
  component: lazyRouteComponent(() => import('../features/audit/AuditPage.tsx'), 'AuditPage'),
});

export const routeTree = root.addChildren([
  ...sessionPages,
  session.addChildren([
    terminal,
    sharedTerminal,
    ...consentPages,
    shell.addChildren([
      home,
      workspaces,
      newWorkspace,
      ...templatePages,
      workspace,
      build,
      received,
      audit,
      peoplePages,
      ...peopleAddresses,
      ...accountPages,
    ]),
  ]),
]);
