import type { JobLogLevel } from '@berth/protocol';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DriverError } from '../../driver.ts';
import type { DriverContext, DriverLog, ResourceTiming } from '../../driver.ts';
import type { TerraformBinary } from './binary.ts';
import { runCommand } from './command.ts';
import type { CommandOptions, CommandResult } from './command.ts';
import { parseGraph } from './graph.ts';
import type { DependencyGraph } from './graph.ts';
import type { Lock } from './lock.ts';
import type { Redactor } from './redact.ts';
import { readPlan, readState } from './show.ts';
import type { TerraformInstance } from './show.ts';
import { errorsOfStderr, plainText } from './stderr-text.ts';
import { UiLines } from './ui-lines.ts';

const LOCK_WAIT = '-lock-timeout=120s';
const VARIABLES_FILE = '.berth-variables.tfvars.json';
/** The last of the override files, so that nothing stands over it. */
const BACKEND_FILE = 'zzzz_berth_override.tf.json';
const VALIDATION_FILE = 'zzzy_berth_override.tf.json';
const REPORTED = 5;

export interface RunOptions {
  readonly binary: TerraformBinary;
  /** The unpacked template. */
  readonly directory: string;
  readonly statePath: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly runDirectory: string;
  readonly interruptGraceMs: number;
  /** Held while providers are fetched into the folder that all jobs share. */
  readonly initLock: Lock;
  readonly redactor: Redactor;
  /** Whether somebody asked to look closer: then Terraform's own log is written, too. */
  readonly isVerbose: boolean;
}

export interface MadePlan {
  readonly file: string;
  readonly instances: readonly TerraformInstance[];
  readonly graph: DependencyGraph;
}

/** Terraform in one folder for one job: init, plan, graph, apply, and what there is in the end. */
export class TerraformRun {
  readonly timings: ResourceTiming[] = [];
  readonly #options: RunOptions;

  constructor(options: RunOptions) {
    this.#options = options;
  }

  /** Puts the state where it is looked after, whatever the template says, and the variables where Terraform finds them. */
  async prepare({ variables, validations }: { variables: string; validations?: string | undefined }): Promise<void> {
    const { directory, statePath } = this.#options;
    const write = (name: string, content: string) => writeFile(join(directory, name), content, { mode: 0o600 });
    await rm(join(directory, '.terraform'), { recursive: true, force: true });
    await write(BACKEND_FILE, JSON.stringify({ terraform: { backend: { local: { path: statePath } } } }));
    await write(VARIABLES_FILE, variables);
    if (validations !== undefined) await write(VALIDATION_FILE, validations);
  }

  async init(context: DriverContext): Promise<void> {
    await context.inStage('init', (inside) => this.#init(inside));
  }

  async #init(context: DriverContext): Promise<void> {
    const log = this.#log(context);
    const startedAt = new Date();
    const { binary, initLock } = this.#options;
    // Terraform's shared folder of providers bears one writer at a time only.
    const result = await initLock.run(context.signal, () =>
      this.#command(['init', '-no-color', '-input=false'], {
        signal: context.signal,
        onLine: (line) => log('debug', line),
        onErrorLine: (line) => logStderr(line, log),
      }),
    );
    this.#succeed(result, { context, what: `${binary.product} init failed`, errors: [] });
    this.timings.push({
      stage: 'init',
      source: 'terraform',
      action: 'initializing terraform',
      resource: 'state file',
      startedAt,
      endedAt: new Date(),
    });
  }

  /** Plans, and reads what the plan says. `environment` is added to the run's own. */
  async plan(
    { name, destroy = false, environment = {} }: { name: string; destroy?: boolean; environment?: Readonly<Record<string, string>> },
    context: DriverContext,
  ): Promise<MadePlan> {
    const file = join(this.#options.directory, `.berth-${name}.tfplan`);
    const lines = new UiLines({ stage: 'plan', log: this.#log(context) });
    const planned = await this.#command(
      ['plan', '-no-color', '-input=false', '-json', '-refresh=true', LOCK_WAIT, `-out=${file}`, `-var-file=${VARIABLES_FILE}`].concat(
        destroy ? ['-destroy'] : [],
      ),
      { signal: context.signal, environment: { ...environment, ...this.#verbosity() }, ...this.#lines(lines, context) },
    );
    this.timings.push(...lines.timings);
    this.#succeed(planned, { context, what: `${this.#options.binary.product} plan failed`, errors: lines.errors });
    const instances = readPlan(await this.#ask(['show', '-json', '-no-color', file], { context, environment }));
    const startedAt = new Date();
    const graph = parseGraph(await this.#ask(['graph', ...this.#options.binary.graphArguments], { context, environment }));
    this.timings.push({
      stage: 'graph',
      source: 'terraform',
      action: 'building terraform dependency graph',
      resource: '',
      startedAt,
      endedAt: new Date(),
    });
    return { file, instances, graph };
  }

  /** Makes what was planned. Answers what went wrong, or nothing. Never rejects once Terraform has started: its state counts either way. */
  async apply(plan: MadePlan, context: DriverContext): Promise<string | undefined> {
    const lines = new UiLines({ stage: 'apply', log: this.#log(context) });
    const result = await this.#command(['apply', '-no-color', '-auto-approve', '-input=false', '-json', LOCK_WAIT, plan.file], {
      signal: context.signal,
      environment: this.#verbosity(),
      ...this.#lines(lines, context),
    });
    this.timings.push(...lines.timings);
    if (result.code === 0) return undefined;
    return this.#reason(result, `${this.#options.binary.product} apply failed`, lines.errors);
  }

  /** What there is now. */
  async show(context: DriverContext): Promise<TerraformInstance[]> {
    return readState(await this.#ask(['show', '-json', '-no-color'], { context }));
  }

  #log({ log }: DriverContext): DriverLog {
    return (level, output) => log(level, this.#options.redactor.redact(output));
  }

  #lines(lines: UiLines, context: DriverContext): Pick<CommandOptions, 'onLine' | 'onErrorLine'> {
    const log = this.#log(context);
    return { onLine: (line) => lines.read(line), onErrorLine: (line) => logStderr(line, log) };
  }

  /** Providers stay silent: what they would say of their requests has secrets in it that nobody here knows. */
  #verbosity(): Record<string, string> {
    return this.#options.isVerbose ? { TF_LOG_CORE: 'JSON' } : {};
  }

  /** A question whose answer is the whole output. */
  async #ask(
    args: readonly string[],
    { context, environment = {} }: { context: DriverContext; environment?: Readonly<Record<string, string>> },
  ): Promise<string> {
    const result = await this.#command(args, { signal: context.signal, environment, keepsOutput: true });
    this.#succeed(result, { context, what: `${this.#options.binary.product} ${args[0] ?? ''} failed`, errors: [] });
    return result.output;
  }

  async #command(
    args: readonly string[],
    options: Pick<CommandOptions, 'signal' | 'onLine' | 'onErrorLine' | 'keepsOutput'> & { environment?: Readonly<Record<string, string>> },
  ): Promise<CommandResult> {
    const { binary, directory, environment, runDirectory, interruptGraceMs } = this.#options;
    return await runCommand({
      ...options,
      binary: binary.path,
      arguments: args,
      directory,
      environment: { ...environment, ...options.environment },
      runDirectory,
      interruptGraceMs,
    });
  }

  #succeed(result: CommandResult, { context, what, errors }: { context: DriverContext; what: string; errors: readonly string[] }): void {
    if (result.code === 0) return;
    context.signal.throwIfAborted();
    throw new DriverError(this.#reason(result, what, errors));
  }

  /** Terraform's own diagnostics say why it failed; stderr only where there are none. */
  #reason(result: CommandResult, what: string, diagnostics: readonly string[]): string {
    const errors = diagnostics.length > 0 ? diagnostics : errorsOfStderr(result.errorTail);
    const more = errors.length > REPORTED ? `\nand ${errors.length - REPORTED} more errors` : '';
    const end = result.code === null ? 'it was killed' : `exit code ${result.code}`;
    const why = errors.length === 0 ? end : errors.slice(0, REPORTED).join('\n');
    return this.#options.redactor.redact(`${what}: ${why}${more}`);
  }
}

/**
 * What Terraform writes to stderr: its own log where it was asked for, and messages. None of them is an error yet: that only the exit code
 * says, and then the reason of the failure is logged as the error.
 */
function logStderr(line: string, log: DriverLog): void {
  const text = plainText(line);
  if (text.trim() === '') return;
  const level = /^\{"@level":"(\w+)","@message":"/.exec(text)?.[1];
  if (level === undefined) log('warn', text);
  else if (level !== 'trace') log('debug' satisfies JobLogLevel, text);
}
