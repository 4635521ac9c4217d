export { watchWorkspace } from './watch-workspace.ts';
