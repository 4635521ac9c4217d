export { holdWorkspace } from './held-workspace.ts';
export { auditOf } from './audit.ts';
export { watchWorkspace, workspaceStateId } from './watch-workspace.ts';
