import type { AgentArchitecture, AgentFiles } from '@berth/protocol/agent-delivery';
import { agentStartScript } from '@berth/protocol/agent-delivery';
import type { DriverLog, ResourceTiming } from '../../driver.ts';
import { DriverError } from '../../driver.ts';
import { JobStopped } from '../../job-session.ts';
import { InTurn } from '../in-turn.ts';
import { accessFrom } from './access.ts';
import { agentArchive } from './agent-archive.ts';
import { containerBody } from './container-body.ts';
import type { ContainerSpec, VolumeMount } from './container-spec.ts';
import { EngineError, isConflict } from './engine-error.ts';
import type { ImageDetails, VolumeSummary } from './engine-shapes.ts';
import type { Engine } from './engine.ts';
import { ensureImage } from './image.ts';
import { containerName, isKept, networkLabels, networkName, ofWorkspace, resourceOf, volumeLabels, volumeName } from './labels.ts';
import type { WorkspaceNames } from './labels.ts';
import { waitUntilUp } from './wait-until-up.ts';

export interface ContainersOptions {
  readonly engine: Engine;
  /** What is put into containers of this machine's processor. */
  readonly agent: AgentFiles;
  readonly architecture: AgentArchitecture | undefined;
  /** Where `docker login` keeps what it was told; undefined: images are fetched without credentials. */
  readonly credentials: string | undefined;
  /** How long an agent may take to show that it starts. */
  readonly startMs?: number;
}

export interface StartWorkspace {
  readonly workspace: WorkspaceNames;
  readonly containers: readonly ContainerSpec[];
  /** Name of each agent → its token. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly environment: Readonly<Record<string, string>>;
  readonly accessUrl: string;
  /** For what an earlier build left running. */
  readonly graceMs: number;
}

export interface Started {
  /** Of the containers. */
  readonly ids: readonly string[];
  readonly timings: ResourceTiming[];
}

export interface Work {
  readonly log: DriverLog;
  readonly signal: AbortSignal;
}

const UNDO_MS = 60_000;

/**
 * Starts and stops the containers of workspaces. What there is of a workspace is found by its labels alone, so whoever comes after a crash
 * finds all of it.
 */
export class WorkspaceContainers {
  readonly #options: ContainersOptions;
  readonly #engine: Engine;
  /** A job whose lease was lost may still be at a workspace when its next attempt begins here. */
  readonly #turns = new InTurn();

  constructor(options: ContainersOptions) {
    this.#options = options;
    this.#engine = options.engine;
  }

  /**
   * Replaces whatever runs of the workspace by these containers. When it rejects, or the signal is aborted, nothing that this call made is
   * left, except volumes that somebody else may have begun to use.
   */
  async start(input: StartWorkspace, work: Work): Promise<Started> {
    return await this.#turns.run(input.workspace.id, () => this.#start(input, work));
  }

  async #start(input: StartWorkspace, work: Work): Promise<Started> {
    const timings: ResourceTiming[] = [];
    const images = await this.#ensureImages(input.containers, work, timings);
    await this.#end(input.workspace.id, { graceMs: input.graceMs, ...work });
    const made: Made = { containers: [], volumes: [] };
    try {
      await this.#makeVolumes(input, { work, timings, made });
      const sharedNetwork = await this.#makeNetwork(input, work);
      // What an agent's scripts may want to talk to comes first.
      for (const container of input.containers.toSorted(
        (one, other) => Number(one.agent !== undefined) - Number(other.agent !== undefined),
      )) {
        const network = container.network === '' ? sharedNetwork : undefined;
        await this.#run({ input, container, network, image: images.get(container.image) }, { work, timings, made });
      }
      for (const id of made.containers) await this.#engine.keepRunning(id, work.signal);
      work.signal.throwIfAborted();
      return { ids: made.containers, timings };
    } catch (error) {
      await this.#undo(input.workspace.id, made, work);
      throw error;
    }
  }

  /** Ends the containers, agents first of all by asking them, and removes them; keeps the volumes that are to be kept. */
  async stop(workspaceId: string, options: Work & { graceMs: number }): Promise<{ ended: string[] }> {
    return await this.#turns.run(workspaceId, async () => {
      const ended = await this.#end(workspaceId, options);
      await this.#removeVolumes(workspaceId, options.signal, ({ Labels }) => !isKept(Labels));
      return { ended };
    });
  }

  /** Removes all that the workspace has on the engine. */
  async remove(workspaceId: string, options: Work & { graceMs: number }): Promise<void> {
    await this.#turns.run(workspaceId, async () => {
      await this.#end(workspaceId, options);
      await this.#removeVolumes(workspaceId, options.signal, () => true);
    });
  }

  async #removeVolumes(workspaceId: string, signal: AbortSignal, isDue: (volume: VolumeSummary) => boolean): Promise<void> {
    for (const volume of await this.#engine.listVolumes(ofWorkspace(workspaceId), signal)) {
      if (isDue(volume)) await this.#engine.removeVolume(volume.Name, signal);
    }
  }

  /** Containers and network; the names of the resources that ran. */
  async #end(workspaceId: string, { graceMs, log, signal }: Work & { graceMs: number }): Promise<string[]> {
    const containers = await this.#engine.listContainers(ofWorkspace(workspaceId), signal);
    const running = containers.filter(({ State }) => State !== 'created' && State !== 'exited' && State !== 'dead');
    const names = running.map(({ Labels }) => resourceOf(Labels));
    if (running.length > 0) log('info', `stopping ${names.join(', ')}: stop scripts may take ${graceMs / 1000} s`);
    await Promise.all(running.map(({ Id }) => this.#engine.stopContainer(Id, graceMs, signal)));
    await Promise.all(containers.map(({ Id }) => this.#engine.removeContainer(Id, signal)));
    for (const { Id } of await this.#engine.listNetworks(ofWorkspace(workspaceId), signal)) await this.#engine.removeNetwork(Id, signal);
    return names;
  }

  async #ensureImages(containers: readonly ContainerSpec[], work: Work, timings: ResourceTiming[]): Promise<Map<string, ImageDetails>> {
    const images = new Map<string, ImageDetails>();
    for (const { resource, image, pull } of containers) {
      if (images.has(image)) continue;
      const { credentials } = this.#options;
      const details = await timed(timings, { action: 'pull', resource }, () =>
        ensureImage(this.#engine, { reference: image, pull, credentials, ...work }),
      );
      if ((details.Os ?? 'linux') !== 'linux') {
        throw new DriverError(`The image ${image} is for ${details.Os}: workspaces need one for linux.`);
      }
      images.set(image, details);
    }
    return images;
  }

  async #makeVolumes({ workspace, containers }: StartWorkspace, { work, timings, made }: Making): Promise<void> {
    const wanted = new Map<string, VolumeMount>(containers.flatMap(({ volumes }) => volumes.map((volume) => [volume.name, volume])));
    if (wanted.size === 0) return;
    const there = new Set((await this.#engine.listVolumes(ofWorkspace(workspace.id), work.signal)).map(({ Name }) => Name));
    for (const { name, persistent } of wanted.values()) {
      const fullName = volumeName(workspace.id, name);
      if (there.has(fullName) && !persistent) {
        await this.#engine.removeVolume(fullName, work.signal);
        there.delete(fullName);
      }
      if (there.has(fullName)) {
        work.log('info', `volume ${name} is there`);
        continue;
      }
      made.volumes.push(fullName);
      await timed(timings, { action: 'create', resource: name }, () =>
        this.#engine.createVolume(fullName, volumeLabels(workspace, name, persistent)),
      );
      work.signal.throwIfAborted();
      work.log('info', `volume ${name} made`);
    }
  }

  /** A network of its own is scarce on most engines, so only a workspace with something to connect gets one. */
  async #makeNetwork({ workspace, containers }: StartWorkspace, { log, signal }: Work): Promise<string | undefined> {
    if (containers.filter(({ network }) => network === '').length < 2) return undefined;
    const name = networkName(workspace.id);
    await this.#engine.createNetwork(name, networkLabels(workspace));
    signal.throwIfAborted();
    log('info', 'network of the workspace made');
    return name;
  }

  async #run({ input, container, network, image }: RunInput, { work, timings, made }: Making): Promise<void> {
    const { resource } = container;
    const { log, signal } = work;
    const agentToken = container.agent === undefined ? undefined : input.tokens.get(container.agent);
    const isOwn = (image?.Architecture ?? this.#options.architecture) === this.#options.architecture;
    const { url, hint } = accessFrom(container.network, input.accessUrl);
    const body = containerBody({
      workspace: input.workspace,
      container,
      sharedNetwork: network,
      accessUrl: input.accessUrl,
      environment: input.environment,
      agentToken,
      bringsAgent: isOwn,
    });
    const id = await timed(timings, { action: 'create', resource }, async () => {
      const created = await this.#create(containerName(input.workspace.id, resource), body, { workspaceId: input.workspace.id, work });
      made.containers.push(created.id);
      signal.throwIfAborted();
      for (const warning of created.warnings) log('warn', `${resource}: ${warning}`);
      if (agentToken === undefined) return created.id;
      if (hint !== undefined) log('warn', hint);
      if (!isOwn) log('info', `the image is for ${image?.Architecture}, so its agent is fetched from the server`);
      const script = agentStartScript({ accessUrl: url });
      await this.#engine
        .putArchive(created.id, agentArchive({ files: isOwn ? this.#options.agent : undefined, script }), signal)
        .catch(explain(resource));
      return created.id;
    });
    await timed(timings, { action: 'start', resource }, async () => {
      await this.#engine.startContainer(id, signal).catch(explain(resource));
      if (agentToken !== undefined) await waitUntilUp(this.#engine, { id, resource, limitMs: this.#options.startMs ?? 30_000, ...work });
    });
    log('info', agentToken === undefined ? `${resource} started` : `${resource} started with agent ${container.agent}`);
  }

  /**
   * Takes back what a start has made. While the job is ours, that is all that the workspace runs; when it is not, somebody else may run it
   * by now, and only what this start knows as its own is removed.
   */
  async #undo(workspaceId: string, made: Made, { log, signal }: Work): Promise<void> {
    const reason: unknown = signal.reason;
    const isOurs = !(reason instanceof JobStopped) || reason.reason === 'canceled';
    const limit = AbortSignal.timeout(UNDO_MS);
    try {
      if (isOurs) {
        await this.#end(workspaceId, { graceMs: 0, log: () => undefined, signal: limit });
        for (const volume of made.volumes) await this.#engine.removeVolume(volume, limit);
      } else {
        for (const id of made.containers) await this.#engine.removeContainer(id, limit);
      }
    } catch (error) {
      log(
        'warn',
        `what was begun could not be taken back, which the next build does: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  async #create(name: string, body: Parameters<Engine['createContainer']>[1], { workspaceId, work }: { workspaceId: string; work: Work }) {
    const create = () => this.#engine.createContainer(name, body);
    const resource = resourceOf(body.Labels);
    return await create()
      .catch(async (error: unknown) => {
        if (!isConflict(error)) throw error;
        // A daemon that lost this job made it in the meantime.
        await this.#end(workspaceId, { graceMs: 0, log: () => undefined, signal: work.signal });
        return await create();
      })
      .catch(explain(resource));
  }
}

/** What one start has made so far. Creating is never given up half-way, so nothing is made that is not here. */
interface Made {
  readonly containers: string[];
  /** That were not there before. */
  readonly volumes: string[];
}

interface RunInput {
  readonly input: StartWorkspace;
  readonly container: ContainerSpec;
  readonly network: string | undefined;
  readonly image: ImageDetails | undefined;
}

interface Making {
  readonly work: Work;
  readonly timings: ResourceTiming[];
  readonly made: Made;
}

async function timed<T>(timings: ResourceTiming[], what: { action: string; resource: string }, call: () => Promise<T>): Promise<T> {
  const startedAt = new Date();
  const result = await call();
  timings.push({ ...what, startedAt, endedAt: new Date() });
  return result;
}

/** Says which resource it was, and what images often lack. */
function explain(resource: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof EngineError)) throw error;
    const lacksShell = /\/bin\/sh.*(?:no such file|not found)/s.test(error.message);
    const advice = lacksShell ? ' The agent needs an image with a shell at /bin/sh.' : '';
    throw new DriverError(`The container of ${resource} could not be started: ${error.message}${advice}`, { cause: error });
  };
}
