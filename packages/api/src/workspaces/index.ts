export { holdWorkspace } from './held-workspace.ts';
export { watchWorkspace } from './watch-workspace.ts';
