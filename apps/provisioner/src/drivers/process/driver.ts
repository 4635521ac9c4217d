import type { BuildJob, ProvisionedResource } from '@berth/protocol';
import { ProcessState } from '@berth/protocol';
import type { z } from 'zod';
import { DriverError } from '../../driver.ts';
import type { AgentIdentity, Applied, Driver, DriverContext, ParsedTemplate, Plan, TemplateSource } from '../../driver.ts';
import type { BerthYaml } from '../berth-yaml/format.ts';
import { importTemplate } from '../berth-yaml/import-template.ts';
import type { ImportInput, ResourceKind } from '../berth-yaml/import-template.ts';
import { readForBuild } from '../berth-yaml/read-for-build.ts';
import type { Sandbox } from './sandbox.ts';
import { WorkspaceRunner } from './workspace-runner.ts';
import type { AgentToRun } from './workspace-runner.ts';

const PROCESSES: ResourceKind = {
  type: 'process',
  stopResources: (yaml) => stopResources(keepsHome(yaml)),
  findFaults: () => [],
};

export interface ProcessDriverOptions {
  /** For stop scripts, also before a restart: after that everything is killed. */
  readonly stopGraceMs?: number;
}

interface StartInput {
  readonly job: BuildJob;
  readonly agents: readonly AgentIdentity[];
  readonly keeps: boolean;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Workspaces as sandboxed process trees on this host. They outlive the daemon and the server. */
export class ProcessDriver implements Driver {
  readonly type = 'process';
  readonly #runner: WorkspaceRunner;
  readonly #stopGraceMs: number;

  constructor(sandbox: Sandbox, options: ProcessDriverOptions = {}) {
    this.#runner = new WorkspaceRunner(sandbox);
    this.#stopGraceMs = options.stopGraceMs ?? 30_000;
  }

  /** Once at start: removes what only workspaces of the past needed. */
  async tidy(): Promise<void> {
    await this.#runner.tidy();
  }

  async parse(input: ImportInput, context: DriverContext): Promise<ParsedTemplate> {
    return await importTemplate(input, PROCESSES, context);
  }

  async plan({ job, source }: { job: BuildJob; source: TemplateSource }, context: DriverContext): Promise<Plan> {
    switch (job.transition) {
      case 'start': {
        const { yaml, resources, parameters } = await readForBuild({ job, source }, PROCESSES, context);
        const keeps = keepsHome(yaml);
        return {
          resources: [...stopResources(keeps), ...resources],
          apply: (agents, applying) => this.#start({ job, agents, keeps, parameters }, applying),
        };
      }
      case 'stop': {
        const keeps = readState(job.state).keeps_home;
        return { resources: stopResources(keeps), apply: (_, applying) => this.#stop(job, keeps, applying) };
      }
      case 'delete':
        // Needs neither archive nor state: a workspace can always be deleted.
        return { resources: [], apply: (_, applying) => this.#delete(job, applying) };
    }
  }

  async #start({ job, agents, keeps, parameters }: StartInput, { log, signal }: DriverContext): Promise<Applied> {
    const startedAt = new Date();
    const toRun = agents.map((agent): AgentToRun => ({
      name: agent.name,
      environment: { ...parameters, BERTH_AGENT_URL: job.access_url, BERTH_AGENT_TOKEN: agent.token },
    }));
    if (!keeps) {
      await this.#runner.stop(job.workspace.id, { graceMs: this.#stopGraceMs, signal });
      await this.#runner.removeHome(job.workspace.id);
    }
    const user = { workspaceId: job.workspace.id, workspaceName: job.workspace.name, username: job.workspace.owner.username };
    try {
      await this.#runner.start(user, toRun, { graceMs: this.#stopGraceMs, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      throw new DriverError(`The workspace could not be started: ${messageOf(error)}`, { state: writeState(keeps), cause: error });
    }
    for (const agent of agents) log('info', `agent ${agent.name} started`);
    return { state: writeState(keeps), timings: [timing('start', job, startedAt)] };
  }

  async #stop(job: BuildJob, keeps: boolean, { log, signal }: DriverContext): Promise<Applied> {
    const startedAt = new Date();
    const running = await this.#runner.running(job.workspace.id);
    log(
      'info',
      running.length === 0 ? 'nothing is running' : `stopping ${running.join(', ')}: stop scripts may take ${this.#stopGraceMs / 1000} s`,
    );
    await this.#runner.stop(job.workspace.id, { graceMs: this.#stopGraceMs, signal });
    if (!keeps) await this.#runner.removeHome(job.workspace.id);
    log('info', 'stopped');
    return { state: writeState(keeps), timings: [timing('stop', job, startedAt)] };
  }

  async #delete(job: BuildJob, { log, signal }: DriverContext): Promise<Applied> {
    const startedAt = new Date();
    await this.#runner.remove(job.workspace.id, { graceMs: this.#stopGraceMs, signal });
    log('info', 'the workspace and its home are removed');
    return { state: new Uint8Array(), timings: [timing('delete', job, startedAt)] };
  }
}

function timing(action: string, job: BuildJob, startedAt: Date) {
  return { action, resource: job.workspace.name, startedAt, endedAt: new Date() };
}

function writeState(keepsHomeOnStop: boolean): Uint8Array {
  return Buffer.from(JSON.stringify({ version: 1, keeps_home: keepsHomeOnStop }));
}

/** An unreadable state must not keep a workspace from being stopped: then the home is kept, which loses nothing. */
function readState(base64: string): z.output<typeof ProcessState> {
  try {
    return ProcessState.parse(JSON.parse(Buffer.from(base64, 'base64').toString('utf8')));
  } catch {
    return { version: 1, keeps_home: true };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function keepsHome(yaml: BerthYaml): boolean {
  return yaml.resources.every((resource) => resource.type !== 'process' || resource.persistent_home);
}

/** What stays when a workspace is stopped: its home, when it is kept. */
function stopResources(keeps: boolean): ProvisionedResource[] {
  if (!keeps) return [];
  return [{ name: 'home', type: 'home_folder', icon: '/icon/folder.svg', hide: false, daily_cost: 0, metadata: [], agents: [] }];
}
