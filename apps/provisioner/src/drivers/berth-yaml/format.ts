import { z } from 'zod';
import { ResourceFormat } from './format-resources.ts';
import { data, displayName, fixed, icon, identifier, scalar } from './format-text.ts';

/**
 * `berth.yaml`, version 1: with the files beside it the only description of the format. `docs/berth.schema.json` is made from it, so editors
 * know it too; rules between fields are in `checks.ts`.
 */

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
      .describe('When given, the value is one of these; of a list whose options are items, any number of them.'),
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

export const BerthYaml = z
  .strictObject({
    version: z.literal(1).describe('The version of this format.'),
    name: fixed(64).default('').describe('What the template is called at first.'),
    description: fixed(127).default(''),
    icon: icon(),
    variables: z.array(VariableFormat).max(64).default([]),
    parameters: z.array(ParameterFormat).max(64).default([]),
    external_auth: z
      .array(
        z.strictObject({
          id: fixed(128).min(1).describe('The id of a provider in the settings of the server.'),
          optional: z.boolean().default(false).describe('Whether a workspace can be made without it.'),
        }),
      )
      .max(16)
      .default([])
      .describe('Accounts elsewhere that whoever creates a workspace links first, for instance for Git.'),
    tags: z
      .record(fixed(64).min(1), data(256))
      .refine((tags) => Object.keys(tags).length <= 16, { error: 'may have 16 tags at most' })
      .default({})
      .describe('Which provisioners build the workspaces: those that have all of these tags.'),
    resources: z.array(ResourceFormat).min(1).max(16).describe('All of one type.'),
  })
  .meta({ title: 'berth.yaml', description: 'A Berth workspace template.' });
export type BerthYaml = z.output<typeof BerthYaml>;

/** The JSON Schema of the format, for editors. */
export function berthJsonSchema(): object {
  return z.toJSONSchema(BerthYaml, { io: 'input' });
}
