import type { BuildJob } from '@berth/protocol';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PROVISIONER_LIMITS } from '@berth/protocol';
import { DriverError } from '../../driver.ts';
import type { Applied, Driver, DriverContext, NamedValue, ParsedTemplate, Plan, TemplateSource } from '../../driver.ts';
import { isCode } from '../../error-code.ts';
import { describeError } from '../../log.ts';
import type { Log } from '../../log.ts';
import type { TerraformBinary } from './binary.ts';
import { endLeftCommands } from './command.ts';
import { buildEnvironment, commonEnvironment, secretsOfBuild, terraformEnvironment } from './environment.ts';
import { readModule, sensitiveValues, toTemplateVariables, variableFile } from './hcl.ts';
import type { RootModule } from './hcl.ts';
import { exampleValues, relaxedValidations, restoreValidations } from './import-values.ts';
import { Lock } from './lock.ts';
import { toExternalAuth, toParameters, toWorkspaceTags } from './parameters.ts';
import { Redactor } from './redact.ts';
import { toResources } from './resources.ts';
import { managed } from './show.ts';
import type { TerraformInstance } from './show.ts';
import { StateStore } from './state-store.ts';
import { TerraformRun } from './terraform-run.ts';
import type { MadePlan } from './terraform-run.ts';

export interface TerraformDriverOptions {
  readonly binary: TerraformBinary;
  /** For states that are being worked on, providers and what Terraform says; nobody else's. */
  readonly dataDir: string;
  /** Where an agent would reach the server, for imports, which have no workspace. */
  readonly serverUrl: string;
  /** The daemon's own; what Terraform gets of it, `terraformEnvironment` says. */
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
  /** How long Terraform may take to end in good order once it was interrupted; then it is killed. */
  readonly interruptGraceMs?: number;
  /** The same for what an earlier daemon left. */
  readonly leftGraceMs?: number;
}

/** Workspaces as whatever Terraform or OpenTofu can make, from templates for the `coder` provider. */
export class TerraformDriver implements Driver {
  readonly type = 'terraform';
  readonly #options: TerraformDriverOptions;
  readonly #states: StateStore;
  readonly #initLock = new Lock();
  /** Builds under way, by workspace: one whose lease is lost is still on its way out while the next one may come in. */
  readonly #busy = new Map<string, Promise<unknown>>();

  constructor(options: TerraformDriverOptions) {
    this.#options = options;
    this.#states = new StateStore(join(options.dataDir, 'states'));
  }

  /** Once at start, before any job: ends what an earlier daemon on this folder left running. */
  async tidy(): Promise<void> {
    const { log, leftGraceMs = 30_000 } = this.#options;
    const ended = await endLeftCommands(this.#runDirectory, leftGraceMs, (sentence) => log('warn', sentence));
    if (ended > 0) log('warn', 'ended what an earlier daemon left running', { commands: ended });
    await mkdir(join(this.#options.dataDir, 'plugins'), { recursive: true, mode: 0o700 });
    await this.#states.tidy(new Date());
  }

  async parse(
    { directory, variableValues }: { directory: string; variableValues: readonly NamedValue[] },
    context: DriverContext,
  ): Promise<ParsedTemplate> {
    const module = await readModule(directory);
    const variables = toTemplateVariables(module, variableValues);
    const nothing = { parameters: [], startResources: [], stopResources: [], externalAuthProviders: [], workspaceTags: {} };
    const readme = await readReadme(directory);
    const missing = variables.filter(({ required, value }) => required && value === '').map(({ name }) => name);
    if (missing.length > 0) {
      // Without them there is no plan; the server says so, and asks for them.
      context.log('warn', `without a value: ${missing.join(', ')}`);
      return { readme, variables, ...nothing };
    }
    const planned = await this.#planBoth({ directory, module, variableValues }, context).catch((error: unknown) => {
      // With its variables, whose values may be what is wrong.
      throw error instanceof DriverError ? new DriverError(error.message, { code: error.code, variables, cause: error }) : error;
    });
    context.log(
      'info',
      `${planned.startResources.length} resource(s), ${planned.parameters.length} parameter(s), ${variables.length} variable(s)`,
    );
    return { readme, variables, ...planned };
  }

  /** What a started and a stopped workspace would have. */
  async #planBoth(
    { directory, module, variableValues }: { directory: string; module: RootModule; variableValues: readonly NamedValue[] },
    context: DriverContext,
  ): Promise<Omit<ParsedTemplate, 'readme' | 'variables'>> {
    const run = await this.#run({
      directory,
      module,
      variableValues,
      statePath: join(directory, '.berth', 'terraform.tfstate'),
      redactor: new Redactor(sensitiveValues(module, variableValues)),
      environment: {},
      isVerbose: false,
      validations: relaxedValidations(module.requiredParameters),
    });
    await run.init(context);
    const planFor = async (transition: 'start' | 'stop') => {
      context.log('info', `planning a workspace that ${transition}s`);
      const parameters = exampleValues(module.requiredParameters);
      const environment = commonEnvironment({ accessUrl: this.#options.serverUrl, transition, parameters });
      return await run.plan({ name: transition, environment }, context);
    };
    const start = await planFor('start');
    const parameters = restoreValidations(toParameters(start.instances, module.parameterLabels), module.requiredParameters);
    const startResources = resourcesOf(start.instances, start, context);
    const stop = await planFor('stop');
    const stopResources = resourcesOf(stop.instances, stop, quietly(context));
    return {
      parameters,
      startResources,
      stopResources,
      externalAuthProviders: toExternalAuth(start.instances),
      workspaceTags: toWorkspaceTags(start.instances),
    };
  }

  async plan({ job, source }: { job: BuildJob; source: TemplateSource }, context: DriverContext): Promise<Plan> {
    return await this.#alone(job, () => this.#plan({ job, source }, context));
  }

  async #plan({ job, source }: { job: BuildJob; source: TemplateSource }, context: DriverContext): Promise<Plan> {
    const state = await this.#states.hold(job.workspace.id, Buffer.from(job.state, 'base64'));
    if (state.isRecovered) context.log('warn', 'going on from what an earlier attempt of this provisioner made');
    if (job.transition === 'delete' && state.isEmpty) {
      context.log('info', 'nothing was ever made, so there is nothing to delete');
      return { resources: [], apply: async () => ({ state: new Uint8Array(), timings: [] }) };
    }
    const directory = await source();
    const module = await readModule(directory);
    const redactor = new Redactor([
      ...secretsOfBuild(job),
      ...sensitiveValues(module, job.variable_values),
      ...(await tokensOfState(state.path)),
    ]);
    const run = await this.#run({
      directory,
      module,
      variableValues: job.variable_values,
      statePath: state.path,
      redactor,
      environment: buildEnvironment(job),
      isVerbose: job.log_level === 'debug',
    });
    await run.init(context);
    const plan = await run.plan({ name: 'build', destroy: job.transition === 'delete' }, context);
    redactor.add(tokensOf(plan.instances));
    const resources =
      job.transition === 'delete' ? [] : resourcesOf(plan.instances, plan, job.transition === 'start' ? context : quietly(context));
    return { resources, apply: (_, applying) => this.#alone(job, () => this.#apply({ job, run, plan, redactor }, applying)) };
  }

  async #apply(
    { job, run, plan, redactor }: { job: BuildJob; run: TerraformRun; plan: MadePlan; redactor: Redactor },
    context: DriverContext,
  ): Promise<Applied> {
    context.signal.throwIfAborted();
    const failure = await run.apply(plan, context);
    const state = await this.#states.read(job.workspace.id);
    // From here on nothing may be forgotten: whatever else goes wrong, the state goes along.
    if (failure !== undefined) {
      const sentence = context.signal.aborted ? 'Terraform was interrupted; what it had made until then is kept.' : failure;
      throw new DriverError(sentence, { state, cause: context.signal.reason });
    }
    refuseLarge(state);
    if (job.transition === 'delete') return { state, timings: run.timings };
    try {
      const instances = await run.show(context);
      redactor.add(tokensOf(instances));
      return { state, timings: run.timings, resources: resourcesOf(instances, plan, { ...context, log: () => {} }) };
    } catch (error) {
      if (error instanceof DriverError || context.signal.aborted) throw new DriverError(describeError(error), { state, cause: error });
      throw new DriverError(`What Terraform made cannot be read: ${describeError(error)}`, { state, cause: error });
    }
  }

  /** One at a time for each workspace, and never while an earlier one is still on its way out. */
  async #alone<T>(job: BuildJob, work: () => Promise<T>): Promise<T> {
    const { id } = job.workspace;
    const mine = (this.#busy.get(id) ?? Promise.resolve()).then(work, work);
    const settled = mine.catch(() => {});
    this.#busy.set(id, settled);
    try {
      return await mine;
    } finally {
      if (this.#busy.get(id) === settled) this.#busy.delete(id);
    }
  }

  async #run(given: {
    directory: string;
    module: RootModule;
    variableValues: readonly NamedValue[];
    statePath: string;
    redactor: Redactor;
    environment: Readonly<Record<string, string>>;
    isVerbose: boolean;
    validations?: string | undefined;
  }): Promise<TerraformRun> {
    const { binary, dataDir, environment, interruptGraceMs = 180_000 } = this.#options;
    const plugins = join(dataDir, 'plugins');
    await mkdir(plugins, { recursive: true, mode: 0o700 });
    const run = new TerraformRun({
      binary,
      directory: given.directory,
      statePath: given.statePath,
      environment: {
        TF_PLUGIN_CACHE_DIR: plugins,
        // Without this, a template without a lock file would fetch every provider again.
        TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE: '1',
        ...terraformEnvironment(environment),
        ...given.environment,
      },
      runDirectory: this.#runDirectory,
      interruptGraceMs,
      initLock: this.#initLock,
      redactor: given.redactor,
      isVerbose: given.isVerbose,
    });
    await run.prepare({ variables: variableFile(given.module, given.variableValues), validations: given.validations });
    return run;
  }

  get #runDirectory(): string {
    return join(this.#options.dataDir, 'running');
  }
}

function resourcesOf(instances: readonly TerraformInstance[], { graph }: MadePlan, { log }: Pick<DriverContext, 'log'>) {
  const resources = toResources(instances, graph, (sentence) => log('warn', sentence));
  if (resources.length > PROVISIONER_LIMITS.resources) {
    throw new DriverError(`The template has ${resources.length} resources; there may be ${PROVISIONER_LIMITS.resources} at most.`);
  }
  return resources;
}

function refuseLarge(state: Uint8Array): void {
  const max = Math.floor((PROVISIONER_LIMITS.state / 4) * 3);
  if (state.length > max) throw new DriverError(`The state has ${state.length} bytes; there may be ${max} at most.`);
}

/** Of a stopped workspace it is no news that its agents run in nothing. */
function quietly({ log }: DriverContext): Pick<DriverContext, 'log'> {
  return { log: (_, output) => log('debug', output) };
}

/** Agents' tokens: known to Terraform alone until it is asked. */
function tokensOf(instances: readonly TerraformInstance[]): string[] {
  return managed(instances, 'coder_agent').flatMap(({ values }) => (typeof values['token'] === 'string' ? [values['token']] : []));
}

async function tokensOfState(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return [...text.matchAll(/"token":\s*"([0-9a-f-]{36})"/g)].flatMap(([, token]) => token ?? []);
}

async function readReadme(directory: string): Promise<string> {
  const file = join(directory, 'README.md');
  try {
    if ((await stat(file)).size > PROVISIONER_LIMITS.readme) {
      throw new DriverError(`README.md: may have ${PROVISIONER_LIMITS.readme / 1024} KiB at most.`);
    }
    const text = (await readFile(file, 'utf8')).replaceAll('\0', '');
    // The facts between two lines of --- are for lists of templates, not for readers.
    return text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n+/, '');
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'EISDIR')) return '';
    throw error;
  }
}
