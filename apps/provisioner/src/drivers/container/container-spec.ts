import type { ProvisionedResource } from '@berth/protocol';
import type { ContainerFormat } from '../berth-yaml/format-resources.ts';
import type { BerthYaml } from '../berth-yaml/format.ts';
import { interpolate } from '../berth-yaml/interpolate.ts';
import type { Scope } from '../berth-yaml/interpolate.ts';
import type { BrokenRule, Path } from '../berth-yaml/read-template.ts';
import { bounded } from '../berth-yaml/resources.ts';
import { referenceFault } from './image.ts';

export interface VolumeMount {
  readonly name: string;
  readonly path: string;
  readonly persistent: boolean;
  readonly readOnly: boolean;
}

/** One container of a workspace, with every value filled in. */
export interface ContainerSpec {
  readonly resource: string;
  readonly image: string;
  readonly pull: 'missing' | 'always';
  readonly entrypoint: readonly string[] | undefined;
  readonly command: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir: string;
  readonly user: string;
  /** Billionths of a processor; 0: all. */
  readonly nanoCpus: number;
  /** 0: all. */
  readonly memoryBytes: number;
  readonly volumes: readonly VolumeMount[];
  /** Empty: what the workspace gets by default. */
  readonly network: string;
  readonly extraHosts: readonly string[];
  readonly agent: string | undefined;
}

/** The containers of a template, and what is wrong with them once their values are filled in. */
export function toContainers(yaml: BerthYaml, scope: Scope): { containers: ContainerSpec[]; broken: BrokenRule[] } {
  const broken: BrokenRule[] = [];
  const containers = yaml.resources.flatMap((resource, index) =>
    resource.type === 'container' ? [toContainer({ container: resource, scope, path: ['resources', index], broken })] : [],
  );
  return { containers, broken };
}

interface SpecInput {
  readonly container: ContainerFormat;
  readonly scope: Scope;
  readonly path: Path;
  readonly broken: BrokenRule[];
}

function toContainer({ container, scope, path, broken }: SpecInput): ContainerSpec {
  const refuse = (key: string, rule: string) => broken.push({ path: [...path, key], rule });
  const fill = (text: string, at: Path, max: number) => bounded(interpolate(text, scope), { max, path: [...path, ...at], broken });

  const image = fill(container.image, ['image'], 512);
  const fault = image === '' ? undefined : referenceFault(image);
  if (fault !== undefined) refuse('image', `${fault}: it is ${JSON.stringify(image.slice(0, 200))}`);

  const cpus = fill(String(container.cpus ?? ''), ['cpus'], 64);
  const nanoCpus = cpus === '' ? 0 : Math.round(Number(cpus) * 1e9);
  if (cpus !== '' && !(nanoCpus >= 1e7 && nanoCpus <= 1024e9)) {
    refuse('cpus', `must be a number between 0.01 and 1024: it is ${JSON.stringify(cpus)}`);
  }
  const memory = fill(container.memory ?? '', ['memory'], 64);
  const memoryBytes = memory === '' ? 0 : toBytes(memory);
  if (memoryBytes === undefined) refuse('memory', `must be a size from 16m up, such as 512m or 2g: it is ${JSON.stringify(memory)}`);

  return {
    resource: container.name,
    image,
    pull: container.pull,
    entrypoint: container.entrypoint,
    command: container.command,
    env: Object.fromEntries(Object.entries(container.env).map(([name, value]) => [name, fill(String(value), ['env', name], 32 * 1024)])),
    workingDir: container.working_dir,
    user: container.user,
    nanoCpus,
    memoryBytes: memoryBytes ?? 0,
    volumes: container.volumes.map(({ name, path: folder, persistent, read_only: readOnly }) => ({
      name,
      path: folder,
      persistent,
      readOnly,
    })),
    network: container.network,
    extraHosts: container.extra_hosts,
    agent: container.agent?.name,
  };
}

const UNITS: Readonly<Record<string, number>> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };
const LEAST_BYTES = 16 * 1024 ** 2;

/** `2g`, `512m`, `1.5GiB`: bytes in powers of 1024; undefined for anything else and for what nothing could run in. */
export function toBytes(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt])(?:i?b)?$/i.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const bytes = Math.round(Number(number) * (UNITS[unit.toLowerCase()] ?? 0));
  return bytes >= LEAST_BYTES && Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** A volume in the words of the server. */
export function volumeResource(name: string): ProvisionedResource {
  return { name, type: 'volume', icon: '/icon/folder.svg', hide: false, daily_cost: 0, metadata: [], agents: [] };
}

/** The names of the volumes of these containers that stay when they stop, each once. */
export function keptVolumes(containers: readonly { readonly volumes: readonly Pick<VolumeMount, 'name' | 'persistent'>[] }[]): string[] {
  return [...new Set(containers.flatMap(({ volumes }) => volumes.filter((volume) => volume.persistent).map((volume) => volume.name)))];
}
