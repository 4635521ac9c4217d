import { setTimeout as delay } from 'node:timers/promises';
import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { WorkspaceBuild } from '@berth/api/contract/builds';
import type { Cli } from '../frame/cli.ts';
import { CliError, conflictError, EXIT, interrupted } from '../frame/errors.ts';
import { Pace } from '../frame/pace.ts';
import { patiently } from '../frame/patiently.ts';
import { plainLines } from '../frame/plain-text.ts';
import { durationText } from '../frame/times.ts';
import { agentsOf, refOf } from '../frame/workspace-ref.ts';

const LOOK = { minMs: 400, maxMs: 2000 };
const TIMEOUT_MS = 60 * 60_000;
/** An agent reports how its scripts ended around the time at which it reports that they have. */
const REPORT_TRIES = 10;
const REPORT_PAUSE_MS = 500;

/**
 * Waits until the start scripts of a build have ended, with their output on stderr. Ctrl-C only ends the wait.
 *
 * @throws CliError with the name and the exit code of each script that failed, and when they do not end in time.
 */
export async function followStartScripts(cli: Cli, build: WorkspaceBuild): Promise<void> {
  const ref = refOf({ owner_name: build.workspace_owner_name, name: build.workspace_name });
  const scripted = build.resources.flatMap(({ agents }) => agents).filter(hasStartScript);
  if (scripted.length === 0) return;
  try {
    await cli.during(`Waiting for the start scripts of ${ref}`, async (progress) => {
      const readers = scripted.map((agent) => outputReader(cli, agent));
      const pace = new Pace(LOOK);
      const deadline = performance.now() + TIMEOUT_MS;
      for (;;) {
        // The state first: once it says that the scripts have ended, the output that is read next is complete.
        const agents = await patiently(() => agentsNow(cli, build, ref), cli);
        const lines = (await Promise.all(readers.map((read) => patiently(read, cli)))).flat();
        for (const line of lines) progress.above(`  ${plainLines(line).trimEnd()}`);
        const waiting = agents.filter((agent) => hasStartScript(agent) && isWaiting(agent));
        if (waiting.length === 0 && lines.length === 0) return requireSuccess(cli, { build, agents, ref });
        const [late] = waiting.filter(({ status }) => status === 'timeout');
        if (late !== undefined) throw notConnected(late, ref);
        if (performance.now() > deadline) {
          throw new CliError(EXIT.unavailable, `The start scripts of ${ref} have not ended within ${durationText(TIMEOUT_MS)}.`, {
            next: `They keep running. See: berth logs ${ref} --follow`,
          });
        }
        await delay(pace.next(lines.length > 0), undefined, { signal: cli.signal });
      }
    });
  } catch (error) {
    if (!cli.signal.aborted) throw error;
    cli.out.note(`${ref} is running; its start scripts continue. See: berth logs ${ref} --follow`);
    throw interrupted();
  }
}

async function agentsNow(cli: Cli, build: WorkspaceBuild, ref: string): Promise<readonly WorkspaceAgent[]> {
  const workspace = await cli.session().client.workspaces.get.query({ workspace: build.workspace_id });
  if (workspace.latest_build.id === build.id) return agentsOf(workspace);
  throw conflictError(`Another build of ${ref} began before its start scripts ended.`, { next: `See: berth show ${ref}` });
}

function outputReader(cli: Cli, agent: WorkspaceAgent): () => Promise<readonly string[]> {
  let after = 0;
  return async () => {
    const found = await cli.session().client.agents.logs.query({ workspaceagent: agent.id, after });
    after = found.at(-1)?.id ?? after;
    return found.map(({ output }) => output);
  };
}

function hasStartScript({ scripts }: WorkspaceAgent): boolean {
  return scripts.some((script) => script.run_on_start);
}

function isWaiting({ lifecycle_state: state }: WorkspaceAgent): boolean {
  return state === 'created' || state === 'starting';
}

function notConnected({ name, connection_timeout_seconds: seconds, troubleshooting_url: help }: WorkspaceAgent, ref: string): CliError {
  return new CliError(EXIT.failed, `${ref} is running, but its agent ${name} has not connected within ${durationText(seconds * 1000)}.`, {
    next: help === '' ? `See: berth logs ${ref}` : `Help: ${help}`,
  });
}

interface Ended {
  readonly build: WorkspaceBuild;
  readonly agents: readonly WorkspaceAgent[];
  readonly ref: string;
}

async function requireSuccess(cli: Cli, { build, agents, ref }: Ended): Promise<void> {
  const failing = agents.filter(({ lifecycle_state: state }) => state === 'start_error' || state === 'start_timeout');
  if (failing.length === 0) return;
  const reasons = await failedScripts(
    cli,
    build,
    failing.map(({ id }) => id),
  );
  const what = reasons.length === 0 ? 'a start script failed' : reasons.join(', and ');
  throw new CliError(EXIT.failed, `${ref} is running, but ${what}.`, { next: `See: berth logs ${ref}` });
}

/** Each failed script as a clause; none when the agents do not report any in time. */
async function failedScripts(cli: Cli, build: WorkspaceBuild, agentIds: readonly string[]): Promise<readonly string[]> {
  for (let tries = 1; ; tries += 1) {
    const { agent_script_timings: timings } = await patiently(
      () => cli.session().client.builds.timings.query({ workspacebuild: build.id }),
      cli,
    );
    const failed = timings.filter(
      ({ stage, status, workspace_agent_id }) =>
        stage === 'start' && (status === 'exit_failure' || status === 'timed_out') && agentIds.includes(workspace_agent_id),
    );
    if (failed.length > 0 || tries === REPORT_TRIES) {
      return failed.map(({ display_name: name, workspace_agent_name: agent, status, exit_code: code }) => {
        const script = name === '' ? `a start script of the agent ${agent}` : `the start script "${name}"`;
        return status === 'timed_out' ? `${script} exceeded its time limit` : `${script} failed (exit code ${code})`;
      });
    }
    await delay(REPORT_PAUSE_MS, undefined, { signal: cli.signal });
  }
}
