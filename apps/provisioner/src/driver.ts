import type {
  BuildJob,
  JobErrorCode,
  JobLogLevel,
  ProvisionedResource,
  ProvisionerTiming,
  ProvisionerType,
  RichParameter,
  TemplateVariable,
} from '@berth/protocol';

/** Writes one line of a job's log; lines longer than the wire allows are cut into several. Never throws, never waits. */
export type DriverLog = (level: JobLogLevel, output: string) => void;

export interface DriverContext {
  readonly log: DriverLog;
  /** Aborted when the job was cancelled or its lease is lost: the driver stops what it started and rejects. */
  readonly signal: AbortSignal;
  /** Runs work under another stage: its lines carry the stage's name, and a failure inside it counts as that stage's. */
  readonly inStage: <T>(stage: JobStage, work: (context: DriverContext) => Promise<T>) => Promise<T>;
}

export type JobStage = 'init' | 'plan' | 'apply';

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** What an import learns from a template. */
export interface ParsedTemplate {
  readonly readme: string;
  readonly variables: TemplateVariable[];
  readonly parameters: RichParameter[];
  readonly startResources: ProvisionedResource[];
  readonly stopResources: ProvisionedResource[];
  /** Providers whose links a workspace needs. */
  readonly externalAuthProviders: { readonly id: string; readonly optional: boolean }[];
  /** Tags that the template gives its builds. */
  readonly workspaceTags: Readonly<Record<string, string>>;
}

/** An agent of the plan with the identity that the server gave it. */
export interface AgentIdentity {
  readonly name: string;
  readonly id: string;
  readonly token: string;
}

/** What a build is going to make, and the way to make it. */
export interface Plan {
  readonly resources: ProvisionedResource[];
  /** Makes it. `agents` has the identity of every agent of `resources`. */
  apply(agents: readonly AgentIdentity[], context: DriverContext): Promise<Applied>;
}

export interface ResourceTiming {
  /** `apply` unless it says otherwise. */
  readonly stage?: ProvisionerTiming['stage'];
  /** What did it: the driver's type unless it says otherwise. */
  readonly source?: string;
  readonly action: string;
  readonly resource: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

export interface Applied {
  /** Opaque to the server, given back to the next build as its `state`. */
  readonly state: Uint8Array;
  readonly timings: ResourceTiming[];
  /** What there is now, where it may differ from the plan: agents whose tokens the driver's tool made carry them. */
  readonly resources?: ProvisionedResource[];
}

/** The job's template archive, unpacked at the first call; a driver that can do without it does not ask. */
export type TemplateSource = () => Promise<string>;

/**
 * One way to make workspaces. A driver is one folder under `drivers/`; adding one touches nothing else but the list in
 * `main.ts`. Every method may be called again with the same input after a crash and must then end in the same result.
 */
export interface Driver {
  readonly type: ProvisionerType;
  /** Reads the template in `directory`. Rejects with a `DriverError` whose message names file, line and rule. */
  parse(input: { directory: string; variableValues: readonly NamedValue[] }, context: DriverContext): Promise<ParsedTemplate>;
  /** Says what the build will make; changes nothing until the plan is applied. */
  plan(input: { job: BuildJob; source: TemplateSource }, context: DriverContext): Promise<Plan>;
}

/** A refusal that a person is meant to read: its message becomes the job's error. */
export class DriverError extends Error {
  override readonly name = 'DriverError';
  readonly code: JobErrorCode;
  /** What has to be cleaned up later, when it differs from the state before. */
  readonly state: Uint8Array | undefined;
  /** Of an import: the variables of the template, when they were read before it failed. */
  readonly variables: readonly TemplateVariable[] | undefined;

  constructor(
    message: string,
    options: { code?: JobErrorCode; state?: Uint8Array; variables?: readonly TemplateVariable[]; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = options.code ?? '';
    this.state = options.state;
    this.variables = options.variables;
  }
}
