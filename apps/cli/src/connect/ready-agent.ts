import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';

import type { Cli } from '../frame/cli.ts';
import { CliError, conflictError, EXIT, interrupted } from '../frame/errors.ts';
import { isLively } from '../frame/io.ts';
import { plain } from '../frame/plain-text.ts';
import type { Progress } from '../frame/progress.ts';
import { agentsOf, chooseAgent, findWorkspace, parseWorkspaceRef, refOf } from '../frame/workspace-ref.ts';
import { wake } from '../workspaces/wake.ts';
import { nextStep } from './next-step.ts';
import type { WaitMode } from './next-step.ts';
import type { News } from './watch.ts';

/** Builds take their time; nobody waits for longer than this. */
const READY_MAX_MS = 60 * 60_000;

export interface ReadyOptions {
  /** `[owner/]name[.agent]`. */
  readonly given: string;
  readonly wait: WaitMode;
  /** Whether a stopped workspace is started. */
  readonly mayStart: boolean;
  /** Whether a workspace whose last build failed is started without a question. */
  readonly isSure: boolean;
}

export interface ReadyAgent {
  readonly workspace: Workspace;
  readonly agent: WorkspaceAgent;
}

/**
 * The agent that a person means, as soon as it can be connected to: starts the workspace when it is stopped, waits for the agent and, when
 * they block a login, for its start scripts, and tells of it on stderr. One request when all is well.
 *
 * @throws CliError with the reason when that cannot be.
 */
export async function readyAgent(cli: Cli, options: ReadyOptions): Promise<ReadyAgent> {
  const workspace = await findWorkspace(cli.session(), options.given);
  const agentName = agentNameOf(options.given);
  const step = nextStep(workspace, agentOf(workspace, agentName), options.wait);
  if (step.kind === 'connect') {
    if (step.remark !== '') cli.out.note(step.remark);
    return { workspace, agent: chooseAgent(workspace, agentName) };
  }
  return new Waiting(cli, { ...options, agentName }).until(workspace);
}

function agentNameOf(given: string): string | null {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given) ? null : parseWorkspaceRef(given).agent;
}

/** The agent of this name, or the only one; undefined while there is none. @throws CliError when it is not clear which one is meant. */
function agentOf(workspace: Workspace, name: string | null): WorkspaceAgent | undefined {
  return agentsOf(workspace).length === 0 ? undefined : chooseAgent(workspace, name);
}

class Waiting {
  readonly #cli: Cli;
  readonly #options: ReadyOptions & { readonly agentName: string | null };
  readonly #over = new AbortController();
  /** The build that this command started. */
  #startedBuild: string | undefined;
  #following: string | undefined;

  constructor(cli: Cli, options: ReadyOptions & { readonly agentName: string | null }) {
    this.#cli = cli;
    this.#options = options;
  }

  async until(first: Workspace): Promise<ReadyAgent> {
    const { openNews } = await import('./watch.ts');
    const news = openNews(this.#cli.session());
    try {
      const asked = await this.#askFirst(first);
      return await this.#cli.during(asked, (progress) => this.#watch(first, news, progress));
    } finally {
      this.#over.abort();
      await news.close();
    }
  }

  /** What may need a person's word comes before the spinner. Answers what is said at first. */
  async #askFirst(workspace: Workspace): Promise<string> {
    const step = nextStep(workspace, agentOf(workspace, this.#options.agentName), this.#options.wait);
    switch (step.kind) {
      case 'start':
        this.#requireMayStart(workspace);
        return `Starting ${workspace.name}`;
      case 'failed': {
        this.#requireMayStart(workspace);
        const sentence = await this.#whyFailed(workspace);
        this.#cli.out.note(sentence);
        const question = { message: `Start ${workspace.name} again?`, flag: '--yes', standard: true };
        if (!this.#options.isSure && !(await this.#cli.ask.confirm(question))) throw interrupted();
        return `Starting ${workspace.name}`;
      }
      case 'wait':
        return step.sentence;
      case 'never':
        throw conflictError(step.sentence);
      case 'connect':
        return `Connecting to ${workspace.name}`;
    }
  }

  #requireMayStart(workspace: Workspace): void {
    if (this.#options.mayStart) return;
    throw conflictError(`The workspace ${workspace.name} is ${workspace.latest_build.status}.`, {
      next: `Start it with: berth start ${refOf(workspace)}`,
    });
  }

  async #watch(first: Workspace, news: News, progress: Progress): Promise<ReadyAgent> {
    const { watchWorkspace } = await import('./watch.ts');
    const signal = AbortSignal.any([this.#cli.signal, AbortSignal.timeout(READY_MAX_MS)]);
    for await (const workspace of watchWorkspace(news, first.id, signal)) {
      const agent = agentOf(workspace, this.#options.agentName);
      const step = nextStep(workspace, agent, this.#options.wait);
      switch (step.kind) {
        case 'connect':
          if (step.remark !== '') progress.above(plain(step.remark));
          return { workspace, agent: chooseAgent(workspace, this.#options.agentName) };
        case 'never':
          throw conflictError(step.sentence);
        case 'failed':
          if (workspace.latest_build.id === this.#startedBuild) throw await this.#failure(workspace);
          if (workspace.latest_build.id !== first.latest_build.id) throw await this.#failure(workspace);
          await this.#start(workspace, progress);
          break;
        case 'start':
          if (this.#startedBuild !== undefined) throw conflictError(`${workspace.name} was stopped again, or its start was canceled.`);
          this.#requireMayStart(workspace);
          await this.#start(workspace, progress);
          break;
        case 'wait':
          progress.update(step.sentence);
          if (step.doing === 'build') this.#followBuild(news, workspace, progress);
          if (step.doing === 'scripts' && agent !== undefined) this.#followScripts(news, agent, progress);
          break;
      }
    }
    if (this.#cli.signal.aborted) throw interrupted();
    throw new CliError(EXIT.unavailable, `${first.name} is not ready after an hour.`);
  }

  async #start(workspace: Workspace, progress: Progress): Promise<void> {
    progress.update(`Starting ${workspace.name}`);
    await wake(this.#cli, workspace);
    const build = await this.#cli.session().client.builds.create.mutate({ workspace: workspace.id, transition: 'start' });
    this.#startedBuild = build.id;
  }

  async #failure(workspace: Workspace): Promise<CliError> {
    return new CliError(EXIT.failed, await this.#whyFailed(workspace), { next: `See: berth logs ${refOf(workspace)}` });
  }

  async #whyFailed({ name, latest_build: build }: Workspace): Promise<string> {
    const why = await this.#cli
      .session()
      .client.builds.why.query({ workspacebuild: build.id })
      .catch(() => undefined);
    return why?.sentence ?? `The last build of ${name} failed: ${build.job.error}`;
  }

  /** On a terminal the spinner shows the latest line of the build's log. */
  #followBuild({ client }: News, { name, latest_build: build }: Workspace, progress: Progress): void {
    if (this.#following === build.id || !isLively(this.#cli.io, this.#cli.io.stderr)) return;
    this.#following = build.id;
    const subscription = client.builds.followLogs.subscribe(
      { workspacebuild: build.id },
      {
        onData: ({ data }) => {
          if (this.#following === build.id && data.output.trim() !== '') progress.update(`Starting ${name}: ${data.output}`);
        },
        // The log is only something to look at meanwhile.
        onError: () => undefined,
      },
    );
    this.#over.signal.addEventListener('abort', () => subscription.unsubscribe(), { once: true });
  }

  /** What the start scripts say, line by line. */
  #followScripts({ client }: News, agent: WorkspaceAgent, progress: Progress): void {
    if (this.#following === agent.id) return;
    this.#following = agent.id;
    const subscription = client.agents.followLogs.subscribe(
      { workspaceagent: agent.id },
      {
        onData: ({ data }) => {
          for (const line of data) progress.above(plain(line.output));
        },
        onError: () => undefined,
      },
    );
    this.#over.signal.addEventListener('abort', () => subscription.unsubscribe(), { once: true });
  }
}
