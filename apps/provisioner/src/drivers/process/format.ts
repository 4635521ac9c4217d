import { DisplayApp } from '@berth/protocol';
import { z } from 'zod';

/**
 * `berth.yaml`, version 1: the only description of the format. `docs/berth.schema.json` is made from it, so editors know
 * it too; rules between fields are in `checks.ts`.
 *
 * Values are filled in with `${{ parameters.x }}` and the like, as data: three kinds of text say where that is possible.
 */

const OPEN = '${{';

/** Text that takes part in deciding what is made: it is the same for everyone. */
const fixed = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes(OPEN), { error: 'is fixed text: ${{ … }} cannot be used here' });

/** Text that a shell reads: a value in it would be read as code, so values come as environment variables only. */
const shell = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes(OPEN), {
      error: '${{ … }} cannot be used in a command: a value would become code. Use the environment, for instance "$BERTH_PARAM_NAME"',
    });

/** Text in which `${{ … }}` is replaced. */
const data = (max: number) => z.string().max(max);

const identifier = (max: number) =>
  fixed(max).regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/,
    'must be letters, digits, hyphens and underscores, with a letter or digit at both ends',
  );
const displayName = () => fixed(128).default('').describe('What people read instead of the name.');
const icon = () => fixed(1024).default('').describe('A path on this server, such as /icon/node.svg, or an address.');
const order = () => z.int().min(-10_000).max(10_000).default(0).describe('Lower comes first.');
const seconds = (fallback: number) => z.int().min(0).max(31_536_000).default(fallback);
const scalar = () => z.union([fixed(8192), z.number(), z.boolean()]);
const metadataKey = () =>
  fixed(64).regex(/^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$/, 'must be letters, digits, dots, hyphens and underscores');

export const VariableFormat = z
  .strictObject({
    name: identifier(64),
    type: z.enum(['string', 'number', 'bool']).default('string'),
    description: fixed(4096).default(''),
    default: scalar().optional().describe('Absent: whoever publishes the template has to give a value.'),
    required: z.boolean().optional().describe('By default: whether there is no default.'),
    sensitive: z.boolean().default(false).describe('The value is not shown to anybody again.'),
  })
  .describe('A value that whoever publishes the template gives once.');
export type VariableFormat = z.output<typeof VariableFormat>;

export const ParameterFormat = z
  .strictObject({
    name: identifier(64),
    display_name: displayName(),
    description: fixed(4096).default('').describe('Markdown.'),
    type: z.enum(['string', 'number', 'bool', 'list(string)']).default('string'),
    default: z.union([scalar(), z.array(fixed(1024)).max(128)]).optional(),
    required: z.boolean().optional().describe('By default: whether there is no default.'),
    mutable: z.boolean().default(false).describe('Whether it can be changed after the workspace was made.'),
    ephemeral: z.boolean().default(false).describe('Whether it is forgotten after each build. Needs mutable and a default.'),
    icon: icon(),
    options: z
      .array(
        z.strictObject({
          name: fixed(128).min(1),
          value: scalar(),
          description: fixed(1024).default(''),
          icon: icon(),
        }),
      )
      .max(128)
      .default([])
      .describe('When given, the value is one of these.'),
    validation: z
      .strictObject({
        regex: fixed(1024).min(1).optional().describe('For strings.'),
        min: z.int().optional().describe('For numbers.'),
        max: z.int().optional().describe('For numbers.'),
        monotonic: z.enum(['increasing', 'decreasing']).optional().describe('For numbers: the only way in which a later value may differ.'),
        error: fixed(1024).default('').describe('What people read when the value does not fit. {min}, {max} and {value} are replaced.'),
      })
      .optional(),
    condition: z
      .strictObject({
        parameter: fixed(64).min(1),
        equals: z.union([scalar(), z.array(scalar()).min(1).max(128)]),
      })
      .optional()
      .describe('Asked for only while another parameter has this value, or one of these.'),
    order: z.int().min(-10_000).max(10_000).optional().describe('Lower comes first. By default the place in this file.'),
  })
  .describe('A value that whoever creates a workspace gives.');
export type ParameterFormat = z.output<typeof ParameterFormat>;

const AppFormat = z.strictObject({
  slug: fixed(32).regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters and digits, joined by single hyphens'),
  display_name: displayName(),
  icon: icon(),
  url: data(2048).default('').describe('What is opened: http://localhost:PORT inside the workspace, or any address when external.'),
  command: shell(4096).default('').describe('Run in a terminal, instead of a url.'),
  external: z.boolean().default(false).describe('Opened by the browser itself, not through the server.'),
  subdomain: z.boolean().default(false).describe('Served on a host name of its own; by default on a path.'),
  hidden: z.boolean().default(false),
  share: z.enum(['owner', 'authenticated', 'public']).default('owner'),
  order: order(),
  healthcheck: z
    .strictObject({
      url: data(2048).min(1),
      interval: z.int().min(1).max(3600).default(5).describe('Seconds between two checks.'),
      threshold: z.int().min(1).max(100).default(6).describe('Failed checks until it is called unhealthy.'),
    })
    .optional(),
});
export type AppFormat = z.output<typeof AppFormat>;

const ScriptFormat = z.strictObject({
  display_name: fixed(128).min(1),
  icon: icon(),
  script: shell(64 * 1024)
    .min(1)
    .describe('Run by a shell. Parameters are in its environment as BERTH_PARAM_<NAME>.'),
  run_on_start: z.boolean().default(false),
  run_on_stop: z.boolean().default(false),
  cron: fixed(128).default('').describe('Five fields: minute, hour, day of month, month, day of week.'),
  start_blocks_login: z.boolean().default(false).describe('The workspace is ready only after it.'),
  timeout: seconds(0).describe('Seconds; 0: none.'),
  log_path: fixed(1024).default(''),
});
export type ScriptFormat = z.output<typeof ScriptFormat>;

const AgentFormat = z.strictObject({
  name: identifier(64).default('main'),
  directory: data(1024).default('').describe('Where shells and scripts start; ~ is the home.'),
  env: z
    .record(
      z
        .string()
        .max(128)
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be letters, digits and underscores')
        .refine((name) => !name.startsWith('BERTH_'), { error: "must not start with BERTH_, which is the server's own" }),
      z.union([data(8192), z.number(), z.boolean()]),
    )
    .default({}),
  apps: z.array(AppFormat).max(32).default([]),
  scripts: z.array(ScriptFormat).max(32).default([]),
  metadata: z
    .array(
      z.strictObject({
        key: metadataKey(),
        display_name: displayName(),
        script: shell(16 * 1024)
          .min(1)
          .describe('Its output is the value.'),
        interval: z.int().min(1).max(86_400).default(10).describe('Seconds between two runs.'),
        timeout: z.int().min(1).max(3600).default(5).describe('Seconds one run may take.'),
        order: z.int().min(-10_000).max(10_000).optional().describe('Lower comes first. By default the place in this file.'),
      }),
    )
    .max(32)
    .default([])
    .describe('What is measured again and again and shown beside the agent.'),
  display_apps: z.array(DisplayApp).max(8).default(['web_terminal', 'port_forwarding_helper', 'ssh_helper']),
  connection_timeout: seconds(120).describe('Seconds after which an agent that did not connect is called timed out; 0: never.'),
  troubleshooting_url: fixed(2048).default(''),
  motd_file: fixed(1024).default('').describe('A file in the workspace that is shown at the start of each shell.'),
  order: order(),
});
export type AgentFormat = z.output<typeof AgentFormat>;

const ResourceFormat = z.strictObject({
  name: identifier(64),
  type: z
    .enum(['process', 'container'])
    .refine((type) => type !== 'container', { error: 'container resources are not there yet: use type process' })
    .describe("process: a sandboxed process tree on the provisioner's host."),
  icon: icon(),
  daily_cost: z.int().min(0).max(1_000_000).default(0).describe("Counted against the owner's quota while it runs."),
  hide: z.boolean().default(false),
  persistent_home: z
    .boolean()
    .default(true)
    .describe('Whether the home is kept when the workspace stops. It is one home for all resources.'),
  metadata: z
    .array(
      z.strictObject({ key: metadataKey(), value: z.union([data(2048), z.number(), z.boolean()]), sensitive: z.boolean().default(false) }),
    )
    .max(32)
    .default([])
    .describe('Facts shown beside the resource.'),
  agent: AgentFormat,
});
export type ResourceFormat = z.output<typeof ResourceFormat>;

export const BerthYaml = z
  .strictObject({
    version: z.literal(1).describe('The version of this format.'),
    name: fixed(64).default('').describe('What the template is called at first.'),
    description: fixed(127).default(''),
    icon: icon(),
    variables: z.array(VariableFormat).max(64).default([]),
    parameters: z.array(ParameterFormat).max(64).default([]),
    resources: z.array(ResourceFormat).min(1).max(16),
  })
  .meta({ title: 'berth.yaml', description: 'A Berth workspace template.' });
export type BerthYaml = z.output<typeof BerthYaml>;

/** The JSON Schema of the format, for editors. */
export function berthJsonSchema(): object {
  return z.toJSONSchema(BerthYaml, { io: 'input' });
}
