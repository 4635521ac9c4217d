import type { RichParameter, TemplateVariable } from '@berth/protocol';
import type { NamedValue } from '../../driver.ts';
import type { BerthYaml, ParameterFormat, VariableFormat } from './format.ts';

type Scalar = string | number | boolean;

/** The text of a value that was written as YAML scalar or list. */
export function toText(value: Scalar | readonly string[]): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function isRequired(format: ParameterFormat | VariableFormat): boolean {
  return format.required ?? format.default === undefined;
}

/** The environment variable by which scripts get a parameter. */
export function parameterEnvironmentName(name: string): string {
  return `BERTH_PARAM_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
}

/** Parameters in the wire's words. Where no order is given, the file's order holds. */
export function toRichParameters(yaml: BerthYaml): RichParameter[] {
  return yaml.parameters.map(toRichParameter);
}

/** The same for the one at `index` of the file. */
export function toRichParameter(format: ParameterFormat, index: number): RichParameter {
  return {
    name: format.name,
    display_name: format.display_name,
    description: format.description,
    description_plaintext: toPlainText(format.description),
    type: format.type,
    default_value: format.default === undefined ? '' : toText(format.default),
    required: isRequired(format),
    mutable: format.mutable,
    ephemeral: format.ephemeral,
    icon: format.icon,
    options: format.options.map((option) => ({ ...option, value: toText(option.value) })),
    validation_error: format.validation?.error ?? '',
    validation_regex: format.validation?.regex ?? '',
    validation_min: format.validation?.min ?? null,
    validation_max: format.validation?.max ?? null,
    validation_monotonic: format.validation?.monotonic ?? '',
    display_order: format.order ?? index,
    ...(format.condition === undefined
      ? {}
      : { condition: { parameter: format.condition.parameter, equals: [format.condition.equals].flat().map(toText) } }),
  };
}

/** Variables with the value that holds: the given one, else the default. */
export function toVariables(yaml: BerthYaml, given: readonly NamedValue[]): TemplateVariable[] {
  return yaml.variables.map((format) => {
    const fallback = format.default === undefined ? '' : toText(format.default);
    return {
      name: format.name,
      description: format.description,
      type: format.type,
      value: given.find((value) => value.name === format.name)?.value ?? fallback,
      default_value: fallback,
      required: isRequired(format),
      sensitive: format.sensitive,
    };
  });
}

/** Markdown without its marks, for places that show plain text. */
export function toPlainText(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s{0,3}(?:#{1,6}|>|[-*+])\s+/gm, '')
    .replaceAll(/(\*\*|__|`)(.+?)\1/g, '$2')
    .trim();
}
