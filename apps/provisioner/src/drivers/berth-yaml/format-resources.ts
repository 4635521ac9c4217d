import { z } from 'zod';
import { AgentFormat } from './format-agent.ts';
import { data, environment, fixed, icon, identifier, metadataKey } from './format-text.ts';

const shared = {
  name: identifier(64),
  icon: icon(),
  daily_cost: z.int().min(0).max(1_000_000).default(0).describe("Counted against the owner's quota while it runs."),
  hide: z.boolean().default(false),
  metadata: z
    .array(
      z.strictObject({ key: metadataKey(), value: z.union([data(2048), z.number(), z.boolean()]), sensitive: z.boolean().default(false) }),
    )
    .max(32)
    .default([])
    .describe('Facts shown beside the resource.'),
};

const ProcessFormat = z
  .strictObject({
    ...shared,
    type: z.literal('process'),
    persistent_home: z
      .boolean()
      .default(true)
      .describe('Whether the home is kept when the workspace stops. It is one home for all resources.'),
    agent: AgentFormat,
  })
  .describe("A sandboxed process tree on the provisioner's host.");
export type ProcessFormat = z.output<typeof ProcessFormat>;

/** A list of words, as they are: no shell reads them. */
const words = () => z.array(fixed(4096)).min(1).max(64);

const VolumeFormat = z.strictObject({
  name: identifier(64).describe("The workspace's own volume of this name. Resources that name the same one share it."),
  path: fixed(1024)
    .regex(/^\/(?!.*(?:^|\/)\.\.?(?:\/|$))[^\0]*[^\0/]$/, 'must be an absolute path without . and .., and not the root')
    .describe('Where it is in the container.'),
  persistent: z.boolean().default(true).describe('Whether it is kept when the workspace stops.'),
  read_only: z.boolean().default(false),
});

export const ContainerFormat = z
  .strictObject({
    ...shared,
    type: z.literal('container'),
    image: data(512).min(1).describe('Name and tag of an image, or name and digest.'),
    pull: z.enum(['missing', 'always']).default('missing').describe('When the image is fetched: if it is not there, or at each start.'),
    entrypoint: words()
      .optional()
      .describe('Run instead of what the image starts; with an agent it gets the command of the agent as its arguments.'),
    command: words().optional().describe('Arguments instead of those of the image. For resources without an agent.'),
    env: environment(),
    working_dir: fixed(1024).default('').describe('By default the one of the image.'),
    user: fixed(128).default('').describe('A name or number, with :group if need be. By default the one of the image.'),
    cpus: z
      .union([data(64), z.number()])
      .optional()
      .describe('How many processors it may use, such as 0.5. By default all.'),
    memory: data(64).optional().describe('How much memory it may use, such as 512m or 2g. By default all.'),
    volumes: z.array(VolumeFormat).max(16).default([]),
    network: fixed(128)
      .regex(/^(?!berth-)(?:[A-Za-z0-9][A-Za-z0-9_.-]*)?$/, 'must be host, none or the name of a network, which does not begin with berth-')
      .default('')
      .describe(
        "host, none, or the name of a network that there is. By default the engine's own; the containers of a workspace then know each other by the names of their resources.",
      ),
    extra_hosts: z
      .array(fixed(512).regex(/^[A-Za-z0-9_.-]+:[0-9A-Za-z.:_-]+$/, 'must be NAME:ADDRESS'))
      .max(32)
      .default([])
      .describe('More names and their addresses; host-gateway is the address of the host.'),
    agent: AgentFormat.optional().describe('At least one resource needs one.'),
  })
  .describe('A container of a Docker-compatible engine. Never privileged, and without any folder of the host.');
export type ContainerFormat = z.output<typeof ContainerFormat>;

export const ResourceFormat = z.discriminatedUnion('type', [ProcessFormat, ContainerFormat]);
export type ResourceFormat = z.output<typeof ResourceFormat>;
