/** The tabs of a template and of one of its versions, as the URL names them. */
export const TEMPLATE_TABS = ['readme', 'versions', 'permissions', 'schedule', 'settings'] as const;
export type TemplateTab = (typeof TEMPLATE_TABS)[number];

export const VERSION_TABS = ['overview', 'log', 'parameters', 'variables', 'readme'] as const;
export type VersionTab = (typeof VERSION_TABS)[number];
