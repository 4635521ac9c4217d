import { setTimeout as delay } from 'node:timers/promises';
import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { WorkspaceBuild } from '@berth/api/contract/builds';
import { isJobActive } from '@berth/domain';
import type { Cli } from '../frame/cli.ts';
import { count, defineCommand, flag, required } from '../frame/declare.ts';
import { usageError } from '../frame/errors.ts';
import { Pace } from '../frame/pace.ts';
import { patiently } from '../frame/patiently.ts';
import { AGENT_FORM, agentsOf, chooseAgent, findWorkspace, parseWorkspaceRef } from '../frame/workspace-ref.ts';

const LOOK = { minMs: 600, maxMs: 4000 };

interface Line {
  readonly source: string;
  readonly created_at: string;
  readonly level: string;
  readonly stage: string;
  readonly output: string;
}

export const logs = defineCommand({
  name: 'logs',
  summary: 'Print the logs of a workspace: its build and its agents',
  description:
    'Prints the logs of the latest build and of its agents. With --follow it also prints new lines, until the build ends (with --build or --build-only) or until Ctrl-C. With -o json, --follow prints one object per line.',
  args: { workspace: required(AGENT_FORM, { complete: 'workspace' }) },
  options: {
    follow: flag('-f, --follow', 'Also print new lines'),
    build: count('--build <n>', 'Only the log of this build', { min: 1, max: 2_147_483_647 }),
    buildOnly: flag('--build-only', 'Omit the logs of agents'),
  },
  examples: ['berth logs dev', 'berth logs dev --follow', 'berth logs ada/dev.main', 'berth logs dev --build 3 -o json'],
  prints: true,
  async run(cli, { args, options }) {
    const workspace = await findWorkspace(cli.session(), args.workspace);
    const ref = parseWorkspaceRef(args.workspace);
    const { client } = cli.session();
    const build =
      options.build === undefined
        ? workspace.latest_build
        : await client.builds.getByUserWorkspaceAndNumber.query({
            user: workspace.owner_name,
            workspacename: workspace.name,
            buildnumber: options.build,
          });
    if (ref.agent !== null && (options.build !== undefined || options.buildOnly)) {
      throw usageError('A build log has no agent. Omit the agent, or --build and --build-only.');
    }
    const isBuildOnly = options.buildOnly || options.build !== undefined;
    const agents = isBuildOnly ? [] : ref.agent === null ? agentsOf(workspace) : [chooseAgent(workspace, ref.agent)];
    const readers = [...(ref.agent === null ? [buildReader(cli, build)] : []), ...agents.map((agent) => agentReader(cli, agent))];
    if (options.follow) await followAll(cli, readers);
    else await printAll(cli, readers);
    await explain(cli, build);
  },
});

/** Reads what is new of one log; `isOver` says that nothing more will come. */
type Reader = () => Promise<{ readonly lines: readonly Line[]; readonly isOver: boolean }>;

function buildReader(cli: Cli, build: WorkspaceBuild): Reader {
  const { client } = cli.session();
  let after = 0;
  return async () => {
    const { job } = await client.builds.get.query({ workspacebuild: build.id });
    const found = await client.builds.logs.query({ workspacebuild: build.id, after });
    after = found.at(-1)?.id ?? after;
    const lines = found.map(({ created_at, log_level, stage, output }) => ({
      source: 'build',
      created_at,
      level: log_level,
      stage,
      output,
    }));
    return { lines, isOver: found.length === 0 && !isJobActive(job.status) };
  };
}

function agentReader(cli: Cli, agent: WorkspaceAgent): Reader {
  const { client } = cli.session();
  const sources = new Map(agent.log_sources.map(({ id, display_name }) => [id, display_name]));
  let after = 0;
  return async () => {
    const found = await client.agents.logs.query({ workspaceagent: agent.id, after });
    after = found.at(-1)?.id ?? after;
    const lines = found.map(({ created_at, level, output, source_id }) => ({
      source: agent.name,
      created_at,
      level,
      stage: sources.get(source_id) ?? '',
      output,
    }));
    return { lines, isOver: false };
  };
}

async function printAll(cli: Cli, readers: readonly Reader[]): Promise<void> {
  const all: Line[] = [];
  for (const read of readers) {
    for (;;) {
      // Page after page, each going on where the last one ended.
      const { lines } = await read();
      if (lines.length === 0) break;
      all.push(...lines);
    }
  }
  if (cli.out.isForPrograms) return cli.out.data(all);
  if (all.length === 0) cli.out.note('The log is empty.');
  printLines(cli, all, new Set());
}

async function followAll(cli: Cli, readers: readonly Reader[]): Promise<void> {
  const told = new Set<string>();
  const pace = new Pace(LOOK);
  while (!cli.signal.aborted) {
    const answers = await Promise.all(readers.map((read) => patiently(read, cli)));
    const lines = answers.flatMap((answer) => answer.lines);
    if (cli.out.isForPrograms) for (const line of lines) cli.out.line(JSON.stringify(line));
    else printLines(cli, lines, told);
    if (answers.every(({ isOver }) => isOver)) return;
    await delay(pace.next(lines.length > 0), undefined, { signal: cli.signal });
  }
}

/** Names the part of the log wherever it changes. */
function printLines(cli: Cli, lines: readonly Line[], told: Set<string>): void {
  for (const { source, stage, output } of lines) {
    const part = `${source}${stage === '' ? '' : `: ${stage}`}`;
    if (!told.has(part)) {
      told.clear();
      told.add(part);
      cli.out.line(`==> ${part}`);
    }
    if (output !== '') cli.out.line(output.replace(/\r?\n$/, ''));
  }
}

/** Why a build waits or failed, after its log. */
async function explain(cli: Cli, build: WorkspaceBuild): Promise<void> {
  const { client } = cli.session();
  const { job } = await client.builds.get.query({ workspacebuild: build.id });
  if (job.status !== 'pending' && job.status !== 'failed') return;
  const { sentence } = await client.builds.why.query({ workspacebuild: build.id });
  if (sentence !== '') cli.out.note(sentence);
}
