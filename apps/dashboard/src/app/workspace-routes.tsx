import { createRoute } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { readWorkspacesSearch } from '../features/workspaces/list/list-address.ts';
import { pageOptions } from '../features/workspaces/list/page-options.ts';
import { pageParam, textParam } from '../ui/search-params.ts';
import { defined, session, shell } from './frame-routes.tsx';
import { lazyPage } from './lazy-page.ts';
import { newWorkspaceSearch } from './new-workspace-search.ts';
import type { WorkspaceTab } from './workspace-tabs.ts';
import { WORKSPACE_TABS } from './workspace-tabs.ts';

/** The pages of workspaces, their builds and terminals, and what others share. */

const workspaces = createRoute({
  getParentRoute: () => shell,
  path: '/workspaces',
  validateSearch: readWorkspacesSearch,
  loaderDeps: ({ search: { q = '', sort } }) => ({ q, sort }),
  // The first rows come while the page's code does. What fails is told where they would stand.
  loader: ({ deps }) => void queryClient.prefetchQuery(pageOptions(deps, 0)),
  component: lazyPage(() => import('../features/workspaces/WorkspacesPage.tsx'), 'WorkspacesPage'),
});

const newWorkspace = createRoute({
  getParentRoute: () => shell,
  path: '/workspaces/new',
  validateSearch: newWorkspaceSearch,
  component: lazyPage(() => import('../features/create-workspace/CreateWorkspacePage.tsx'), 'CreateWorkspacePage'),
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
  validateSearch: (search): { tab?: WorkspaceTab; page?: number; start?: 'true' } & ShellSearch =>
    defined({
      ...shellSearch(search),
      tab: WORKSPACE_TABS.find((tab) => tab === search['tab'] && tab !== 'overview'),
      page: pageParam(search['page']),
      // Asks whether to start the workspace.
      start: typeof search['start'] === 'string' && search['start'] !== 'false' ? ('true' as const) : undefined,
    }),
  component: lazyPage(() => import('../features/workspace/WorkspacePage.tsx'), 'WorkspacePage'),
});

const build = createRoute({
  getParentRoute: () => shell,
  path: '/@{$owner}/$name/builds/$number',
  // Whose log is shown: an agent's, by its name, or that of the build. The fragment names a line of it.
  validateSearch: (search): { log?: string } => defined({ log: textParam(search['log'], 64) }),
  component: lazyPage(() => import('../features/builds/BuildPage.tsx'), 'BuildPage'),
});

const terminal = createRoute({
  getParentRoute: () => session,
  path: '/@{$owner}/$name/terminal',
  validateSearch: (search): ShellSearch => defined({ ...shellSearch(search) }),
  component: lazyPage(() => import('../features/terminal/TerminalPage.tsx'), 'TerminalPage'),
});

const received = createRoute({
  getParentRoute: () => shell,
  path: '/shared',
  component: lazyPage(() => import('../features/shares/ReceivedSharesPage.tsx'), 'ReceivedSharesPage'),
});

const sharedTerminal = createRoute({
  getParentRoute: () => session,
  path: '/shared/$share',
  validateSearch: (search): ShellSearch => defined({ ...shellSearch(search) }),
  component: lazyPage(() => import('../features/shares/SharedTerminalPage.tsx'), 'SharedTerminalPage'),
});

/** Those without the shell: a terminal takes the whole window. */
export const terminalPages = [terminal, sharedTerminal] as const;
/** Those inside the shell. */
export const workspacePages = [workspaces, newWorkspace, workspace, build, received] as const;
