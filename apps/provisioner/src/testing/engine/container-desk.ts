import { newId } from '@berth/core';
import type { BuildJob, ProvisionedResource } from '@berth/protocol';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Applied, DriverContext } from '../../driver.ts';
import { ContainerDriver } from '../../drivers/container/driver.ts';
import type { ContainerDriverOptions } from '../../drivers/container/driver.ts';
import { Engine } from '../../drivers/container/engine.ts';
import { ofWorkspace } from '../../drivers/container/labels.ts';
import { buildJob } from '../jobs.ts';
import { FaultyDoor } from './faulty-door.ts';

/** Stands in for the Node.js that runs the agent: says when it starts and when it is asked to end, in a volume. */
const STUB = `#!/bin/sh
[ "$1" != --version ] || exit 0
[ ! -d /data ] || echo started >>/data/log
trap '[ ! -d /data ] || echo stopped >>/data/log; exit 0' TERM
while :; do sleep 0.05 & wait $!; done
`;

/** What an engine has of a workspace. */
export interface Holdings {
  readonly containers: string[];
  readonly volumes: string[];
  readonly networks: number;
}
export const NOTHING: Holdings = { containers: [], volumes: [], networks: 0 };

export interface DeskOptions {
  readonly socketPath: string;
  readonly image: string;
  /** A line of the template; empty: the default network. */
  readonly network: string;
}

/** A driver in front of an engine, behind a door that a test can slam, and what a test asks about. */
export class ContainerDesk {
  readonly door: FaultyDoor;
  readonly engine: Engine;
  readonly #throughDoor: Engine;
  readonly template: string;
  readonly log: string[] = [];
  readonly #base: string;
  readonly #options: DeskOptions;

  private constructor(made: { door: FaultyDoor; engine: Engine; throughDoor: Engine; base: string; options: DeskOptions }) {
    this.door = made.door;
    this.engine = made.engine;
    this.#throughDoor = made.throughDoor;
    this.#base = made.base;
    this.#options = made.options;
    this.template = join(made.base, 'template');
  }

  static async open(options: DeskOptions): Promise<ContainerDesk> {
    const base = await mkdtemp(join(tmpdir(), 'berth-desk-'));
    await mkdir(join(base, 'agent'));
    await writeFile(join(base, 'agent', 'agent.mjs'), '');
    await writeFile(join(base, 'node'), STUB);
    await chmod(join(base, 'node'), 0o755);
    await mkdir(join(base, 'template'));
    const door = new FaultyDoor(options.socketPath);
    await door.listen(join(base, 'door.sock'));
    const engine = await Engine.connect({ kind: 'socket', path: options.socketPath });
    const throughDoor = await Engine.connect({ kind: 'socket', path: join(base, 'door.sock') });
    const desk = new ContainerDesk({ door, engine, throughDoor, base, options });
    await desk.describe();
    return desk;
  }

  async close(): Promise<void> {
    await this.door.close();
    await rm(this.#base, { recursive: true, force: true });
  }

  /** Writes the template: two containers, of which one has an agent, a volume that is kept and one that is not. */
  async describe(dev = ''): Promise<void> {
    const { image, network } = this.#options;
    const shared = network === '' ? '' : `\n    network: ${network}`;
    const yaml = `version: 1
resources:
  - name: dev
    type: container
    image: ${image}${shared}
    volumes: [{ name: data, path: /data }, { name: cache, path: /cache, persistent: false }]
    agent: {}
${dev}
  - name: side
    type: container
    image: ${image}${shared}
    command: [/bin/sh, -c, "trap 'exit 0' TERM; while :; do sleep 1 & wait $!; done"]
`;
    await writeFile(join(this.template, 'berth.yaml'), yaml);
  }

  /** A new daemon's driver, behind the door. */
  driver(overrides: Partial<ContainerDriverOptions> = {}): ContainerDriver {
    return new ContainerDriver({
      engine: this.#throughDoor,
      agent: { agentDir: join(this.#base, 'agent'), nodeBinary: join(this.#base, 'node') },
      architecture: 'amd64',
      credentials: undefined,
      stopGraceMs: 10_000,
      startMs: 20_000,
      ...overrides,
    });
  }

  async build(
    driver: ContainerDriver,
    job: BuildJob,
    signal = new AbortController().signal,
  ): Promise<Applied & { planned: ProvisionedResource[] }> {
    const context: DriverContext = {
      signal,
      log: (level, line) => this.log.push(`${level} ${line}`),
      inStage: (_, work) => work(context),
    };
    const plan = await driver.plan({ job, source: () => Promise.resolve(this.template) }, context);
    const agents = plan.resources.flatMap((resource) => resource.agents).map(({ name }) => ({ name, id: newId(), token: newId() }));
    return { ...(await plan.apply(agents, context)), planned: plan.resources };
  }

  async holdings(workspaceId: string): Promise<Holdings> {
    const labels = ofWorkspace(workspaceId);
    const containers = await this.engine.listContainers(labels);
    const volumes = await this.engine.listVolumes(labels);
    return {
      containers: containers.map(({ State, Labels }) => `${Labels?.['berth.resource']} ${State}`).toSorted(),
      volumes: volumes.map(({ Labels }) => Labels?.['berth.volume'] ?? '').toSorted(),
      networks: (await this.engine.listNetworks(labels)).length,
    };
  }

  /** Removes what a test left. */
  async clear(workspaceId: string): Promise<void> {
    this.door.reset();
    await this.build(
      this.driver({ stopGraceMs: 0 }),
      buildJob({ workspace: { ...buildJob().workspace, id: workspaceId }, transition: 'delete' }),
    );
  }
}
