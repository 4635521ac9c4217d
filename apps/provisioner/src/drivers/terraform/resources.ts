import { ProvisionedResource } from '@berth/protocol';
import { z } from 'zod';
import { DriverError } from '../../driver.ts';
import { toAgents } from './agents.ts';
import type { FoundAgent } from './agents.ts';
import { nearest } from './graph.ts';
import type { DependencyGraph } from './graph.ts';
import { outOfBounds } from './parameters.ts';
import { flag, list, managed, text, whole } from './show.ts';
import type { TerraformInstance } from './show.ts';

const MetadataValues = z.object({
  resource_id: text(),
  hide: flag(),
  icon: text(),
  daily_cost: whole(),
  item: list(z.object({ key: text(), value: z.string().nullish(), sensitive: flag(), is_null: flag() })),
});
type MetadataValues = z.output<typeof MetadataValues>;

/** Where a machine's own name for itself is, by which its agent says who it is. */
const INSTANCE_ID: Readonly<Record<string, string>> = {
  google_compute_instance: 'instance_id',
  aws_instance: 'id',
  aws_spot_instance_request: 'spot_instance_id',
  azurerm_linux_virtual_machine: 'virtual_machine_id',
  azurerm_windows_virtual_machine: 'virtual_machine_id',
};

/**
 * What a workspace consists of: every managed resource that is not a word of the provider's, each with the agents that run in it and with
 * what is said about it. `warn` hears of what is left out. Rejects with a `DriverError` for what contradicts itself.
 */
export function toResources(
  instances: readonly TerraformInstance[],
  graph: DependencyGraph,
  warn: (sentence: string) => void,
): ProvisionedResource[] {
  const things = instances.filter(({ mode, type }) => mode === 'managed' && !isWord(type));
  const agents = placeAgents(toAgents(instances, graph, warn), { things, graph, warn });
  const metadata = placeMetadata(instances, { things, graph, warn });
  return things.map((thing) => {
    const said = metadata.get(thing.address)?.values;
    const hosted = agents.get(thing.address) ?? [];
    const parsed = ProvisionedResource.safeParse({
      name: slug(thing.name),
      type: thing.type,
      icon: said?.icon ?? '',
      hide: said?.hide ?? false,
      daily_cost: Math.max(0, said?.daily_cost ?? 0),
      metadata: (said?.item ?? []).flatMap(({ key, value, sensitive, is_null: isNull }) =>
        isNull || value === null || value === undefined ? [] : [{ key, value, sensitive }],
      ),
      agents: hosted.map(({ instance, agent }) => withInstanceId({ instance, agent }, thing)),
    });
    if (!parsed.success) throw outOfBounds(hosted[0]?.instance.address ?? thing.address, parsed.error);
    return parsed.data;
  });
}

function isWord(type: string): boolean {
  return type.startsWith('coder_');
}

/** A name of Terraform may end in a hyphen or an underscore, which a name in an address may not. */
function slug(name: string): string {
  return name.replaceAll(/^[^a-zA-Z0-9]+|[^a-zA-Z0-9]+$/g, '').slice(0, 64) || 'resource';
}

interface Place {
  readonly things: readonly TerraformInstance[];
  readonly graph: DependencyGraph;
  readonly warn: (sentence: string) => void;
}

/** By the address of the thing: an agent runs in the nearest thing that needs it. */
function placeAgents(agents: readonly FoundAgent[], { things, graph, warn }: Place): Map<string, FoundAgent[]> {
  const placed = new Map<string, FoundAgent[]>();
  const labels = new Set(things.map(({ label }) => label));
  for (const found of agents) {
    const label = nearest(found.instance.label, {
      next: graph.dependentsOf,
      isWanted: (address) => labels.has(address),
      // Beyond a thing that there is none of, nothing runs this agent.
      isOpaque: (address) => isThing(address),
    });
    const thing = things.find((candidate) => candidate.label === label);
    if (thing === undefined) warn(`${found.instance.address} runs in no resource, since none needs it, so it is left out`);
    else placed.set(thing.address, [...(placed.get(thing.address) ?? []), found]);
  }
  return placed;
}

/** Whether an address without indexes is that of a managed resource other than the provider's words. */
function isThing(address: string): boolean {
  const [type, name, ...rest] = address.replace(/^(?:module\.[^.]+\.)+/, '').split('.');
  const isOther = ['data', 'var', 'local', 'output', 'module', 'provider', 'root'].includes(type ?? '');
  return type !== undefined && name !== undefined && rest.length === 0 && !isOther && !isWord(type) && !/[\s[]/.test(address);
}

/** By the address of the thing. */
function placeMetadata(
  instances: readonly TerraformInstance[],
  { things, graph, warn }: Place,
): Map<string, { address: string; values: MetadataValues }> {
  const placed = new Map<string, { address: string; values: MetadataValues }>();
  const labels = new Set(things.map(({ label }) => label));
  for (const { address, label, index, values: raw } of managed(instances, 'coder_metadata')) {
    const values = MetadataValues.parse(raw);
    const byId = things.filter((thing) => values.resource_id !== '' && thing.values['id'] === values.resource_id);
    const near = nearest(label, { next: graph.dependenciesOf, isWanted: (candidate) => labels.has(candidate) });
    const alike = things.filter((thing) => thing.label === near);
    const twin = index === undefined ? [] : alike.filter((thing) => thing.index === index);
    const [described = []] = [byId, twin, alike].filter((candidates) => candidates.length > 0);
    if (described.length === 0) warn(`${address} describes no resource that there is, so it is left out`);
    for (const thing of described) {
      const other = placed.get(thing.address);
      if (other !== undefined) {
        throw new DriverError(`${other.address} and ${address} both describe ${thing.address}. A resource has one coder_metadata at most.`);
      }
      placed.set(thing.address, { address, values });
    }
  }
  return placed;
}

function withInstanceId({ instance, agent }: FoundAgent, thing: TerraformInstance): FoundAgent['agent'] {
  const attribute = INSTANCE_ID[thing.type];
  const auth = instance.values['auth'];
  if (agent.instance_id !== '' || attribute === undefined || auth === 'token' || auth === undefined) return agent;
  return { ...agent, instance_id: z.object({ [attribute]: text() }).parse(thing.values)[attribute] ?? '' };
}
