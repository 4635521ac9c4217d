import { createRoute, redirect } from '@tanstack/react-router';
import { dayParam, numberParam, pageParam, textParam } from '../ui/search-params.ts';
import { defined, shell } from './frame-routes.tsx';
import { lazyPage } from './lazy-page.ts';
import type { NewWorkspaceSearch } from './new-workspace-search.ts';
import { newWorkspaceSearch } from './new-workspace-search.ts';
import type { ChangeView, TemplateTab, VersionTab } from './template-tabs.ts';
import { CHANGE_VIEWS, TEMPLATE_TABS, VERSION_TABS } from './template-tabs.ts';

/** The pages about templates and their versions. */

const templates = createRoute({
  getParentRoute: () => shell,
  path: '/templates',
  validateSearch: (search): { q?: string } => defined({ q: textParam(search['q'], 1000) }),
  component: lazyPage(() => import('../features/templates/TemplatesPage.tsx'), 'TemplatesPage'),
});

export interface NewTemplateSearch {
  /** A starter template, by its id or its folder's name. */
  readonly example?: string;
  /** Files of one's own. */
  readonly from?: 'files';
}

const newTemplate = createRoute({
  getParentRoute: () => shell,
  path: '/templates/new',
  validateSearch: (search): NewTemplateSearch =>
    defined({ example: textParam(search['example'], 64), from: search['from'] === 'files' ? ('files' as const) : undefined }),
  component: lazyPage(() => import('../features/templates/NewTemplatePage.tsx'), 'NewTemplatePage'),
});

/** What the audit log links to: a name alone, which one organization or several may have. */
const templateByName = createRoute({
  getParentRoute: () => shell,
  path: '/templates/$name',
  component: lazyPage(() => import('../features/templates/TemplateByNamePage.tsx'), 'TemplateByNamePage'),
});

export type TemplateSearch = Omit<NewWorkspaceSearch, 'template'> & {
  readonly tab?: TemplateTab;
  readonly page?: number;
  /** Versions that were archived, too. */
  readonly archived?: boolean;
  /** The first and the last day of the insights, as 2026-03-14. */
  readonly from?: string;
  readonly to?: string;
  readonly interval?: 'week';
};

const template = createRoute({
  getParentRoute: () => shell,
  path: '/templates/$organization/$name',
  validateSearch: (search): TemplateSearch => {
    // A template's name alone, then "workspace", is matched here too: the page then goes on to the form with these.
    const { template: _, ...prefill } = newWorkspaceSearch(search);
    return {
      ...prefill,
      ...defined({
        tab: TEMPLATE_TABS.find((tab) => tab === search['tab'] && tab !== 'readme'),
        page: pageParam(search['page']),
        archived: search['archived'] === 'true' || search['archived'] === true ? true : undefined,
        from: dayParam(search['from']),
        to: dayParam(search['to']),
        interval: search['interval'] === 'week' ? ('week' as const) : undefined,
      }),
    };
  },
  component: lazyPage(() => import('../features/templates/TemplatePage.tsx'), 'TemplatePage'),
});

/** Where "Open in Berth" buttons lead. */
const openInBerth = createRoute({
  getParentRoute: () => shell,
  path: '/templates/$organization/$name/workspace',
  validateSearch: newWorkspaceSearch,
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/workspaces/new', search: { ...search, template: `${params.organization}/${params.name}` }, replace: true });
  },
});

const newVersion = createRoute({
  getParentRoute: () => shell,
  path: '/templates/$organization/$name/new-version',
  component: lazyPage(() => import('../features/template-versions/NewVersionPage.tsx'), 'NewVersionPage'),
});

export interface VersionSearch {
  readonly tab?: VersionTab;
  /** The path of the file that is shown. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** The name of the version that this one is compared with. */
  readonly compare?: string;
  readonly view?: ChangeView;
}

const version = createRoute({
  getParentRoute: () => shell,
  path: '/templates/$organization/$name/versions/$version',
  validateSearch: (search): VersionSearch =>
    defined({
      tab: VERSION_TABS.find((tab) => tab === search['tab'] && tab !== 'overview'),
      file: textParam(search['file'], 1024),
      line: numberParam(search['line']),
      compare: textParam(search['compare'], 64),
      view: CHANGE_VIEWS.find((view) => view === search['view']),
    }),
  component: lazyPage(() => import('../features/template-versions/VersionPage.tsx'), 'VersionPage'),
});

export interface EditorSearch {
  /** The file to open first. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
}

const editor = createRoute({
  getParentRoute: () => shell,
  path: '/templates/$organization/$name/versions/$version/edit',
  validateSearch: (search): EditorSearch => defined({ file: textParam(search['file'], 1024), line: numberParam(search['line']) }),
  component: lazyPage(() => import('../features/template-editor/EditorPage.tsx'), 'EditorPage'),
});

/** The editor, beginning with the version that is active now. */
const editTemplate = createRoute({
  getParentRoute: () => shell,
  path: '/templates/$organization/$name/edit',
  component: lazyPage(() => import('../features/template-editor/EditActivePage.tsx'), 'EditActivePage'),
});

export const templatePages = [templates, newTemplate, templateByName, template, openInBerth, newVersion, version, editTemplate, editor];
