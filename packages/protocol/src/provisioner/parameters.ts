import { z } from 'zod';
import { order, text } from './fields.ts';
import { PROVISIONER_LIMITS } from './limits.ts';

/**
 * A template's rich parameter: the fields of the published interface under their own names, plus `display_order` and an
 * optional `condition` (the parameter is asked for only while the named one has one of the values).
 */
export const RichParameter = z.object({
  name: text(64).min(1),
  display_name: text(128),
  description: text(4096),
  description_plaintext: text(4096),
  type: z.enum(['string', 'number', 'bool', 'list(string)']),
  default_value: text(PROVISIONER_LIMITS.value),
  required: z.boolean(),
  mutable: z.boolean(),
  ephemeral: z.boolean(),
  icon: text(1024),
  options: z
    .array(
      z.object({
        name: text(128).min(1),
        description: text(1024),
        value: text(PROVISIONER_LIMITS.value),
        icon: text(1024),
      }),
    )
    .max(PROVISIONER_LIMITS.options),
  validation_error: text(1024),
  validation_regex: text(1024),
  validation_min: z.int().nullable(),
  validation_max: z.int().nullable(),
  validation_monotonic: z.enum(['', 'increasing', 'decreasing']),
  display_order: order(),
  condition: z
    .object({
      parameter: text(64).min(1),
      equals: z.array(text(PROVISIONER_LIMITS.value)).min(1).max(PROVISIONER_LIMITS.options),
    })
    .optional(),
});
export type RichParameter = z.output<typeof RichParameter>;

/** A template's variable with the value that this import settled on. */
export const TemplateVariable = z.object({
  name: text(64).min(1),
  description: text(4096),
  type: z.enum(['string', 'number', 'bool']),
  value: text(PROVISIONER_LIMITS.value),
  default_value: text(PROVISIONER_LIMITS.value),
  required: z.boolean(),
  sensitive: z.boolean(),
});
export type TemplateVariable = z.output<typeof TemplateVariable>;
