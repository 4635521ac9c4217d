import type { WorkspaceAgent } from '@berth/api/contract/agents';

/** Whether the shells of an agent wait for a start script: the template says that logging in waits for it, and it has not ended. */
export function waitsForStartScript({ lifecycle_state: state, scripts }: Pick<WorkspaceAgent, 'lifecycle_state' | 'scripts'>): boolean {
  if (state !== 'created' && state !== 'starting') return false;
  return scripts.some((script) => script.run_on_start && script.start_blocks_login);
}
