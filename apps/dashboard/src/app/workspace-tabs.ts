/** The tabs of a workspace, as the URL names them. */
export const WORKSPACE_TABS = ['overview', 'terminal', 'sharing', 'builds', 'parameters', 'schedule', 'settings'] as const;
export type WorkspaceTab = (typeof WORKSPACE_TABS)[number];
