import type { BuildJob } from '@berth/protocol';
import { z } from 'zod';
import { DriverError } from '../../driver.ts';
import type { AgentIdentity, Applied, Driver, DriverContext, NamedValue, ParsedTemplate, Plan, TemplateSource } from '../../driver.ts';
import { toRichParameters, toVariables } from './parameters.ts';
import { readTemplate } from './read-template.ts';
import { buildScope, importScope, keepsHome, parameterEnvironment, stopResources, toResources } from './resources.ts';
import type { Sandbox } from './sandbox.ts';
import { WorkspaceRunner } from './workspace-runner.ts';
import type { AgentToRun } from './workspace-runner.ts';

/** What a later stop or delete has to know; the running processes are in the workspace's own folder. */
const State = z.object({ version: z.literal(1), keeps_home: z.boolean() });

export interface ProcessDriverOptions {
  /** For stop scripts: after that everything is killed. */
  readonly stopGraceMs?: number;
  /** For what an earlier build left, when a workspace is started while it runs. */
  readonly restartGraceMs?: number;
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
  readonly #restartGraceMs: number;

  constructor(sandbox: Sandbox, options: ProcessDriverOptions = {}) {
    this.#runner = new WorkspaceRunner(sandbox);
    this.#stopGraceMs = options.stopGraceMs ?? 30_000;
    this.#restartGraceMs = options.restartGraceMs ?? 5000;
  }

  /** Once at start: removes what only workspaces of the past needed. */
  async tidy(): Promise<void> {
    await this.#runner.tidy();
  }

  async parse(
    { directory, variableValues }: { directory: string; variableValues: readonly NamedValue[] },
    { log }: DriverContext,
  ): Promise<ParsedTemplate> {
    const template = await readTemplate(directory);
    const { yaml } = template;
    const variables = toVariables(yaml, variableValues);
    const parameters = toRichParameters(yaml);
    const missing = variables.filter((variable) => variable.required && variable.value === '');
    if (missing.length > 0) log('warn', `without a value: ${missing.map((variable) => variable.name).join(', ')}`);
    const { resources, broken } = toResources(yaml, importScope(yaml, variableValues));
    // Without a value for everything an address may well be incomplete; a build judges it then.
    const isComplete = missing.length === 0 && parameters.every((parameter) => !parameter.required);
    if (broken.length > 0 && isComplete) throw template.refuse(broken);
    log('info', `${resources.length} resource(s), ${parameters.length} parameter(s), ${variables.length} variable(s)`);
    return {
      readme: template.readme,
      variables,
      parameters,
      startResources: resources,
      stopResources: stopResources(keepsHome(yaml)),
      externalAuthProviders: [],
      workspaceTags: {},
    };
  }

  async plan({ job, source }: { job: BuildJob; source: TemplateSource }, { log }: DriverContext): Promise<Plan> {
    switch (job.transition) {
      case 'start':
        return await this.#planStart(job, source, log);
      case 'stop': {
        const keeps = readState(job.state).keeps_home;
        return { resources: stopResources(keeps), apply: (_, context) => this.#stop(job, keeps, context) };
      }
      case 'delete':
        // Needs neither archive nor state: a workspace can always be deleted.
        return { resources: [], apply: (_, context) => this.#delete(job, context) };
    }
  }

  async #planStart(job: BuildJob, source: TemplateSource, log: DriverContext['log']): Promise<Plan> {
    const template = await readTemplate(await source());
    const { yaml } = template;
    const without = toRichParameters(yaml).find(
      ({ name, required }) => required && !job.rich_parameter_values.some((given) => given.name === name && given.value !== ''),
    );
    if (without !== undefined) throw new DriverError(`The parameter ${without.name} needs a value.`);
    const scope = buildScope(yaml, job);
    const { resources, broken } = toResources(yaml, scope);
    if (broken.length > 0) throw template.refuse(broken);
    for (const resource of resources) {
      log('info', `${resource.name}: a ${resource.type} with agent ${resource.agents.map((agent) => agent.name).join(', ')}`);
    }
    const keeps = keepsHome(yaml);
    return {
      resources: [...stopResources(keeps), ...resources],
      apply: (agents, context) => this.#start({ job, agents, keeps, parameters: parameterEnvironment(yaml, scope) }, context),
    };
  }

  async #start({ job, agents, keeps, parameters }: StartInput, { log, signal }: DriverContext): Promise<Applied> {
    const startedAt = new Date();
    const toRun = agents.map((agent): AgentToRun => ({
      name: agent.name,
      environment: { ...parameters, BERTH_AGENT_URL: job.access_url, BERTH_AGENT_TOKEN: agent.token },
    }));
    if (!keeps) {
      await this.#runner.stop(job.workspace.id, { graceMs: this.#restartGraceMs, signal });
      await this.#runner.removeHome(job.workspace.id);
    }
    const user = { workspaceId: job.workspace.id, workspaceName: job.workspace.name, username: job.workspace.owner.username };
    try {
      await this.#runner.start(user, toRun, { graceMs: this.#restartGraceMs, signal });
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
function readState(base64: string): z.output<typeof State> {
  try {
    return State.parse(JSON.parse(Buffer.from(base64, 'base64').toString('utf8')));
  } catch {
    return { version: 1, keeps_home: true };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
