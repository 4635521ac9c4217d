import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { WorkspaceBuildTimings } from '@berth/api/contract/builds';
import { duration } from '../../ui/relative-time.ts';

export interface ScriptRow {
  readonly key: string;
  readonly name: string;
  /** When it runs: "at start", "at stop", "by the clock (0 9 * * *)"; several joined. */
  readonly occasion: string;
  /** How long it ran the last time; empty while it did not. */
  readonly took: string;
  readonly result: string;
  readonly hasFailed: boolean;
}

type AgentOfScripts = { readonly scripts: readonly WorkspaceAgent['scripts'][number][] } & Pick<
  WorkspaceAgent,
  'id' | 'status' | 'lifecycle_state'
>;

const RESULTS = { ok: 'Done', exit_failure: 'Failed', timed_out: 'Timed out', pipes_left_open: 'Done, but left its output open' } as const;

/** The scripts of an agent with how each went when it ran last. */
export function scriptRows(agent: AgentOfScripts, timings: WorkspaceBuildTimings | undefined): readonly ScriptRow[] {
  const last = new Map(
    (timings?.agent_script_timings ?? [])
      .filter((timing) => timing.workspace_agent_id === agent.id)
      .map((timing) => [timing.display_name, timing]),
  );
  const isStarting = agent.status === 'connected' && agent.lifecycle_state === 'starting';
  return agent.scripts.map((script) => {
    const timing = last.get(script.display_name);
    const occasions = [
      script.run_on_start ? (script.start_blocks_login ? 'at start, before anybody enters' : 'at start') : '',
      script.run_on_stop ? 'at stop' : '',
      script.cron === '' ? '' : `by the clock (${script.cron})`,
    ];
    return {
      key: script.id,
      name: script.display_name,
      occasion: occasions.filter((occasion) => occasion !== '').join(', '),
      took: timing === undefined ? '' : duration(Date.parse(timing.ended_at) - Date.parse(timing.started_at)),
      result: timing !== undefined ? resultOf(timing) : isStarting && script.run_on_start ? 'At work' : 'Not run yet',
      hasFailed: timing !== undefined && timing.status !== 'ok' && timing.status !== 'pipes_left_open',
    };
  });
}

function resultOf({ status, exit_code: code }: WorkspaceBuildTimings['agent_script_timings'][number]): string {
  return status === 'exit_failure' ? `${RESULTS[status]} with exit code ${code}` : RESULTS[status];
}
