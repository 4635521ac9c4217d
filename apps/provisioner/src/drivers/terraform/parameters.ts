import { RichParameter } from '@berth/protocol';
import { z } from 'zod';
import { DriverError } from '../../driver.ts';
import { toPlainText } from '../berth-yaml/parameters.ts';
import { data, flag, list, text, textMap, whole } from './show.ts';
import type { TerraformInstance } from './show.ts';

const ParameterType = z.enum(['string', 'number', 'bool', 'list(string)']);

const Parameter = z.object({
  name: text(),
  display_name: text(),
  description: text(),
  type: z.string().nullish(),
  default: text(),
  optional: flag(),
  mutable: flag(),
  ephemeral: flag(),
  icon: text(),
  order: z.number().nullish(),
  option: list(z.object({ name: text(), description: text(), value: text(), icon: text() })),
  validation: list(
    z.object({
      regex: text(),
      error: text(),
      min: whole(),
      max: whole(),
      min_disabled: flag(),
      max_disabled: flag(),
      monotonic: text(),
    }),
  ),
});

/**
 * The `coder_parameter` data sources, sorted by their order and then as in `labels`, the order of the files. Rejects with a `DriverError`
 * when two have one name, or when one is out of bounds.
 */
export function toParameters(instances: readonly TerraformInstance[], labels: readonly string[]): RichParameter[] {
  const found = data(instances, 'coder_parameter').map((instance) => ({
    address: instance.address,
    rank: rank(labels, instance),
    values: Parameter.parse(instance.values),
  }));
  for (const [index, { address, values }] of found.entries()) {
    const twin = found.slice(0, index).find((other) => other.values.name === values.name);
    if (twin !== undefined) {
      throw new DriverError(
        `Two parameters are named ${JSON.stringify(values.name)}: ${twin.address} and ${address}. A name must be unique.`,
      );
    }
  }
  return found
    .toSorted((one, other) => (one.values.order ?? 0) - (other.values.order ?? 0) || one.rank - other.rank)
    .map(({ address, values }, order) => toParameter({ address, values, order }));
}

/** Those of modules come last. */
function rank(labels: readonly string[], { address, name }: TerraformInstance): number {
  const at = address.startsWith('data.') ? labels.indexOf(name) : -1;
  return at === -1 ? labels.length : at;
}

function toParameter({ address, values, order }: { address: string; values: z.output<typeof Parameter>; order: number }): RichParameter {
  const [validation] = values.validation;
  const parsed = RichParameter.safeParse({
    name: values.name,
    display_name: values.display_name,
    description: values.description,
    description_plaintext: toPlainText(values.description),
    type: ParameterType.parse(values.type ?? 'string'),
    default_value: values.default,
    required: !values.optional,
    mutable: values.mutable,
    ephemeral: values.ephemeral,
    icon: values.icon,
    options: values.option,
    validation_error: validation?.error ?? '',
    validation_regex: validation?.regex ?? '',
    validation_min: validation === undefined || validation.min_disabled ? null : validation.min,
    validation_max: validation === undefined || validation.max_disabled ? null : validation.max,
    validation_monotonic: validation?.monotonic ?? '',
    display_order: order,
  });
  if (parsed.success) return parsed.data;
  throw outOfBounds(address, parsed.error);
}

/** A sentence for each rule that a block breaks. */
export function outOfBounds(address: string, error: z.ZodError): DriverError {
  const rules = error.issues.slice(0, 5).map((issue) => [issue.path.join('.'), issue.message].filter((part) => part !== '').join(' '));
  return new DriverError(`${address} cannot be used: ${rules.join('; ')}.`);
}

/** The services that a template wants the owner's links to. */
export function toExternalAuth(instances: readonly TerraformInstance[]): { id: string; optional: boolean }[] {
  const needs = new Map<string, boolean>();
  for (const { values } of data(instances, 'coder_external_auth', 'coder_git_auth')) {
    const { id, optional } = z.object({ id: text(), optional: flag() }).parse(values);
    // Asked for twice, it is optional only when both say so.
    if (id !== '') needs.set(id, optional && (needs.get(id) ?? true));
  }
  return [...needs].map(([id, optional]) => ({ id, optional }));
}

/** The tags of all `coder_workspace_tags`. */
export function toWorkspaceTags(instances: readonly TerraformInstance[]): Record<string, string> {
  const tags = data(instances, 'coder_workspace_tags').map(({ values }) => z.object({ tags: textMap() }).parse(values).tags);
  return Object.assign({}, ...tags) as Record<string, string>;
}
