import type { MonotonicOrder, ParameterType } from './enums.ts';

/** Longest value that a parameter takes, in UTF-16 units. */
export const PARAMETER_VALUE_LENGTH = 8192;
export const PARAMETER_NAME_LENGTH = 64;
export const PARAMETER_PATTERN_LENGTH = 1024;

export interface RichParameterOption {
  readonly name: string;
  readonly description: string;
  readonly value: string;
  readonly icon: string;
}

/** Asks for a parameter only while another one has one of these values. */
export interface RichParameterCondition {
  readonly parameter: string;
  readonly equals: readonly string[];
}

/** What a template version asks of people who build a workspace from it. Values are always text; `type` says how it is read. */
export interface RichParameter {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly descriptionPlaintext: string;
  readonly type: ParameterType;
  readonly defaultValue: string;
  readonly required: boolean;
  /** Whether the value may change after the first build. */
  readonly mutable: boolean;
  /** Whether the value is forgotten after each build. */
  readonly ephemeral: boolean;
  readonly icon: string;
  /** If not empty, the only values there are. */
  readonly options: readonly RichParameterOption[];
  /** What to say when a value is refused; may hold `{min}`, `{max}` and `{value}`. */
  readonly validationError: string;
  readonly validationRegex: string;
  readonly validationMin: number | null;
  readonly validationMax: number | null;
  readonly validationMonotonic: MonotonicOrder;
  readonly displayOrder: number;
  readonly condition: RichParameterCondition | null;
}

/** The same as it travels; `display_order` and `condition` may be missing. */
export interface WireRichParameter {
  readonly name: string;
  readonly display_name: string;
  readonly description: string;
  readonly description_plaintext: string;
  readonly type: ParameterType;
  readonly default_value: string;
  readonly required: boolean;
  readonly mutable: boolean;
  readonly ephemeral: boolean;
  readonly icon: string;
  readonly options: readonly RichParameterOption[];
  readonly validation_error: string;
  readonly validation_regex: string;
  readonly validation_min: number | null;
  readonly validation_max: number | null;
  readonly validation_monotonic: MonotonicOrder;
  readonly display_order?: number | undefined;
  readonly condition?: RichParameterCondition | null | undefined;
}

export function richParameterFromWire(wire: WireRichParameter): RichParameter {
  return {
    name: wire.name,
    displayName: wire.display_name,
    description: wire.description,
    descriptionPlaintext: wire.description_plaintext,
    type: wire.type,
    defaultValue: wire.default_value,
    required: wire.required,
    mutable: wire.mutable,
    ephemeral: wire.ephemeral,
    icon: wire.icon,
    options: wire.options,
    validationError: wire.validation_error,
    validationRegex: wire.validation_regex,
    validationMin: wire.validation_min,
    validationMax: wire.validation_max,
    validationMonotonic: wire.validation_monotonic,
    displayOrder: wire.display_order ?? 0,
    condition: wire.condition ?? null,
  };
}

/** In the order in which people see them: the template's own order, then by name. */
export function sortRichParameters<T extends Pick<RichParameter, 'name' | 'displayOrder'>>(parameters: readonly T[]): T[] {
  return parameters.toSorted((a, b) => a.displayOrder - b.displayOrder || compareText(a.name.toLowerCase(), b.name.toLowerCase()));
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
