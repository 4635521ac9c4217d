import type { BuildJob } from '@berth/protocol';
import { ContainerState } from '@berth/protocol';
import { DriverError } from '../../driver.ts';
import type { AgentIdentity, Applied, Driver, DriverContext, ParsedTemplate, Plan, TemplateSource } from '../../driver.ts';
import type { BerthYaml } from '../berth-yaml/format.ts';
import { importTemplate } from '../berth-yaml/import-template.ts';
import type { ImportInput, ResourceKind } from '../berth-yaml/import-template.ts';
import { readForBuild } from '../berth-yaml/read-for-build.ts';
import { keptVolumes, toContainers, volumeResource } from './container-spec.ts';
import type { ContainerSpec } from './container-spec.ts';
import { EngineError } from './engine-error.ts';
import { WorkspaceContainers } from './workspace-containers.ts';
import type { ContainersOptions } from './workspace-containers.ts';

const CONTAINERS: ResourceKind = {
  type: 'container',
  stopResources: (yaml) => kept(yaml).map(volumeResource),
  findFaults: (yaml, scope) => toContainers(yaml, scope).broken,
};

export interface ContainerDriverOptions extends ContainersOptions {
  /** For stop scripts, also before a restart: after that the engine kills. */
  readonly stopGraceMs?: number;
}

interface StartInput {
  readonly job: BuildJob;
  readonly agents: readonly AgentIdentity[];
  readonly containers: readonly ContainerSpec[];
  readonly parameters: Readonly<Record<string, string>>;
}

/** Workspaces as containers of a Docker-compatible engine. They outlive the daemon and the server. */
export class ContainerDriver implements Driver {
  readonly type = 'container';
  readonly #containers: WorkspaceContainers;
  readonly #stopGraceMs: number;

  constructor(options: ContainerDriverOptions) {
    this.#containers = new WorkspaceContainers(options);
    this.#stopGraceMs = options.stopGraceMs ?? 30_000;
  }

  async parse(input: ImportInput, context: DriverContext): Promise<ParsedTemplate> {
    return await importTemplate(input, CONTAINERS, context);
  }

  async plan({ job, source }: { job: BuildJob; source: TemplateSource }, context: DriverContext): Promise<Plan> {
    switch (job.transition) {
      case 'start': {
        const { yaml, scope, resources, parameters } = await readForBuild({ job, source }, CONTAINERS, context);
        const { containers } = toContainers(yaml, scope);
        return {
          resources: [...kept(yaml).map(volumeResource), ...resources],
          apply: (agents, applying) => this.#start({ job, agents, containers, parameters }, applying),
        };
      }
      case 'stop': {
        const { volumes } = readState(job.state);
        return { resources: volumes.map(volumeResource), apply: (_, applying) => this.#stop(job, volumes, applying) };
      }
      case 'delete':
        // Needs neither archive nor state: a workspace can always be deleted.
        return { resources: [], apply: (_, applying) => this.#delete(job, applying) };
    }
  }

  async #start({ job, agents, containers, parameters }: StartInput, context: DriverContext): Promise<Applied> {
    const volumes = keptVolumes(containers);
    try {
      const { ids, timings } = await this.#containers.start(
        {
          workspace: { id: job.workspace.id, name: job.workspace.name, owner: job.workspace.owner.username },
          containers,
          tokens: new Map(agents.map(({ name, token }) => [name, token])),
          environment: parameters,
          accessUrl: job.access_url,
          graceMs: this.#stopGraceMs,
        },
        context,
      );
      return { state: writeState(volumes, ids), timings };
    } catch (error) {
      if (context.signal.aborted) throw error;
      const isForPeople = error instanceof DriverError || error instanceof EngineError;
      const message = isForPeople
        ? error.message
        : `The workspace could not be started: ${error instanceof Error ? error.message : String(error)}`;
      // Volumes of earlier builds are still there.
      throw new DriverError(message, { state: writeState(volumes, []), cause: error });
    }
  }

  async #stop(job: BuildJob, volumes: readonly string[], { log, signal }: DriverContext): Promise<Applied> {
    const startedAt = new Date();
    const { ended } = await forPeople(() => this.#containers.stop(job.workspace.id, { graceMs: this.#stopGraceMs, log, signal }));
    log('info', ended.length === 0 ? 'nothing was running' : 'stopped and removed');
    return { state: writeState(volumes, []), timings: [{ action: 'stop', resource: job.workspace.name, startedAt, endedAt: new Date() }] };
  }

  async #delete(job: BuildJob, { log, signal }: DriverContext): Promise<Applied> {
    const startedAt = new Date();
    await forPeople(() => this.#containers.remove(job.workspace.id, { graceMs: this.#stopGraceMs, log, signal }));
    log('info', 'the containers and volumes of the workspace are removed');
    return { state: new Uint8Array(), timings: [{ action: 'delete', resource: job.workspace.name, startedAt, endedAt: new Date() }] };
  }
}

/** The engine's sentences are the job's. */
async function forPeople<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof EngineError ? new DriverError(error.message, { cause: error }) : error;
  }
}

function kept(yaml: BerthYaml): string[] {
  return keptVolumes(yaml.resources.flatMap((resource) => (resource.type === 'container' ? [resource] : [])));
}

function writeState(volumes: readonly string[], containers: readonly string[]): Uint8Array {
  return Buffer.from(JSON.stringify({ version: 1, volumes, containers }));
}

/** An unreadable state must not keep a workspace from being stopped: then nobody can say what stays, but it does. */
function readState(base64: string): { volumes: readonly string[] } {
  try {
    return ContainerState.parse(JSON.parse(Buffer.from(base64, 'base64').toString('utf8')));
  } catch {
    return { volumes: [] };
  }
}
