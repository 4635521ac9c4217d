export { holdWorkspace } from './held-workspace.ts';
export { auditOf } from './audit.ts';
export { watchWorkspace } from './watch-workspace.ts';
