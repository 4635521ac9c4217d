export { auditOf } from './audit.ts';
export { getWorkspace } from './read-workspace.ts';
export type { WorkspaceScopes } from './visible.ts';
export { visibleSql, workspaceScopes } from './visible.ts';
export { currentUser } from './watch-workspace.ts';
export { watchList } from './watch-list.ts';
export { watchWorkspace } from './watch-workspace.ts';
