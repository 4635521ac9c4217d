import type { Workspace } from '@berth/api/contract/workspaces';
import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { WorkspaceBuild } from '@berth/api/contract/builds';
import { stateOf } from './status.ts';

/** All agents of a build, in the order in which the resources have them. */
export function agentsOf(build: Pick<WorkspaceBuild, 'resources'>): WorkspaceAgent[] {
  return build.resources.flatMap((resource) => resource.agents);
}

/** What is wrong with a running workspace, or an empty text. */
export function healthSentence({ health, latest_build: build }: Pick<Workspace, 'health' | 'latest_build'>): string {
  if (stateOf({ health, latest_build: build }) !== 'unhealthy') return '';
  const failing = agentsOf(build).find(({ id }) => health.failing_agents.includes(id));
  return failing?.health.reason ?? 'An agent is unhealthy.';
}

/** One sentence that says what is going on with a workspace, and what a person may do about it. */
export function situation(workspace: Workspace): string {
  const build = workspace.latest_build;
  const { job } = build;
  switch (build.status) {
    case 'pending':
      if (job.queue_position === 0) return 'Waiting for a provisioner to take the build.';
      return `Waiting for a provisioner: number ${job.queue_position} of ${Math.max(job.queue_position, job.queue_size)} in the queue.`;
    case 'starting':
      return 'The build is making what the template asks for.';
    case 'running':
      return runningSituation(workspace);
    case 'stopping':
      return 'The build is shutting everything down. Your files stay.';
    case 'stopped':
      return workspace.dormant_at === null
        ? 'Stopped. Your files are kept; start it to go on.'
        : 'Dormant: it was not used for long, and cannot start until it is activated.';
    case 'failed':
      return `The last build failed${job.error === '' ? '.' : `: ${job.error}`}`;
    case 'canceling':
      return 'The build is being cancelled.';
    case 'canceled':
      return 'The last build was cancelled before its end. Start the workspace to make it whole again.';
    case 'deleting':
      return 'The build is deleting everything, your files too.';
    case 'deleted':
      return 'It was deleted, and cannot be brought back.';
  }
}

function runningSituation(workspace: Workspace): string {
  const agents = agentsOf(workspace.latest_build);
  if (agents.length === 0) return 'Running, without an agent: there is nothing to connect to.';
  const problem = healthSentence(workspace);
  if (problem !== '') return `Running, but: ${problem}`;
  const waiting = agents.find(({ status }) => status === 'connecting');
  if (waiting !== undefined) return `Started. Waiting for the agent ${waiting.name} to connect.`;
  const preparing = agents.find(({ lifecycle_state: state }) => state === 'created' || state === 'starting' || state === 'start_timeout');
  if (preparing !== undefined) {
    return preparing.lifecycle_state === 'start_timeout'
      ? `Running. The start script of ${preparing.name} takes longer than it may.`
      : `Running. The start script of ${preparing.name} is still at work.`;
  }
  return 'Running and ready.';
}
