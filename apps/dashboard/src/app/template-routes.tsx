import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { numberParam, pageParam, textParam } from '../ui/search-params.ts';
import { defined, shell } from './frame-routes.tsx';
import type { ChangeView, TemplateTab, VersionTab } from './template-tabs.ts';
import { CHANGE_VIEWS, TEMPLATE_TABS, VERSION_TABS } from './template-tabs.ts';

/** The pages about templates and their versions. */

const templates = createRoute({
  getParentRoute: () => shell,
  path: '/templates',
  validateSearch: (search): { q?: string } => defined({ q: textParam(search['q'], 1000) }),
  component: lazyRouteComponent(() => import('../features/templates/TemplatesPage.tsx'), 'TemplatesPage'),
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
  component: lazyRouteComponent(() => import('../features/templates/NewTemplatePage.tsx'), 'NewTemplatePage'),
});

/** What the audit log links to: a name alone, which one organization or several may have. */
const templateByName = createRoute({
  getParentRoute: () => shell,
  path: '/templates/$name',
  component: lazyRouteComponent(() => import('../features/templates/TemplateByNamePage.tsx'), 'TemplateByNamePage'),
});

export interface TemplateSearch {
  readonly tab?: TemplateTab;
  readonly page?: number;
  /** Versions that were archived, too. */
  readonly archived?: boolean;
}

const template = createRoute({
  getParentRoute: () => shell,
  path: '/templates/$organization/$name',
  validateSearch: (search): TemplateSearch =>
    defined({
      tab: TEMPLATE_TABS.find((tab) => tab === search['tab'] && tab !== 'readme'),
      page: pageParam(search['page']),
      archived: search['archived'] === 'true' || search['archived'] === true ? true : undefined,
    }),
  component: lazyRouteComponent(() => import('../features/templates/TemplatePage.tsx'), 'TemplatePage'),
});

const newVersion = createRoute({
  getParentRoute: () => shell,
  path: '/templates/$organization/$name/new-version',
  component: lazyRouteComponent(() => import('../features/template-versions/NewVersionPage.tsx'), 'NewVersionPage'),
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
  component: lazyRouteComponent(() => import('../features/template-versions/VersionPage.tsx'), 'VersionPage'),
});

export const templatePages = [templates, newTemplate, templateByName, template, newVersion, version];
