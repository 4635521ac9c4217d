/** The tabs of a template and of one of its versions, as the URL names them. */
export const TEMPLATE_TABS = ['readme', 'versions', 'insights', 'link', 'permissions', 'schedule', 'settings'] as const;
export type TemplateTab = (typeof TEMPLATE_TABS)[number];

export const VERSION_TABS = ['overview', 'files', 'changes', 'log', 'parameters', 'variables', 'readme'] as const;
export type VersionTab = (typeof VERSION_TABS)[number];

/** How the changes between two versions are shown; without it, by the room that there is. */
export const CHANGE_VIEWS = ['split', 'unified'] as const;
export type ChangeView = (typeof CHANGE_VIEWS)[number];
