import type { TemplateVersionParameter } from '@berth/api/contract/template-versions';
import type { ParameterValue, RichParameter } from '@berth/domain';
import { askedParameters, resolveRichParameters, richParameterFromWire } from '@berth/domain';

/** What was filled in so far, by parameter; a parameter without an entry is unanswered. */
export type Draft = Readonly<Record<string, string>>;

export interface ParameterField {
  readonly parameter: RichParameter;
  readonly value: string;
  /** The rule that the value breaks, in words; empty when it is fine. */
  readonly problem: string;
}

export interface ParameterFormView {
  /** The parameters to ask for now, in order: conditions may hide some. */
  readonly fields: readonly ParameterField[];
  /** What a request would send; null while something is wrong. */
  readonly values: readonly ParameterValue[] | null;
}

/** The parameters of a version as the rules know them. Their order is that of the list. */
export function parametersFromWire(wire: readonly TemplateVersionParameter[]): RichParameter[] {
  return wire.map((parameter, index) => richParameterFromWire({ ...parameter, display_order: index }));
}

/**
 * What stands in the form at first: what the workspace was last built with, else the defaults. A switch without either is off; everything
 * else stays unanswered.
 */
export function initialDraft(parameters: readonly RichParameter[], previous: readonly ParameterValue[] = []): Draft {
  const stored = new Map(previous.map(({ name, value }) => [name, value]));
  const entries = parameters.flatMap(({ name, type, defaultValue, ephemeral }) => {
    const known = ephemeral ? undefined : stored.get(name);
    if (known !== undefined) return [[name, known] as const];
    if (defaultValue !== '') return [[name, defaultValue] as const];
    return type === 'bool' ? [[name, 'false'] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** The form for a draft: what to ask, and what is wrong, by the very rules that the server applies. */
export function viewForm(definitions: readonly RichParameter[], draft: Draft, previous: readonly ParameterValue[] = []): ParameterFormView {
  const requested = Object.entries(draft)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({ name, value }));
  const request = { definitions, requested, previous };
  const asked = askedParameters(request);
  const resolution = resolveRichParameters(request);
  const problems = resolution.ok ? [] : resolution.problems;
  const fields = asked.map((parameter) => ({
    parameter,
    value: draft[parameter.name] ?? '',
    problem: problems.find((problem) => problem.parameter === parameter.name)?.detail ?? '',
  }));
  const names = new Set(asked.map(({ name }) => name));
  return { fields, values: resolution.ok ? requested.filter(({ name }) => names.has(name)) : null };
}

/** A list parameter's value as its items; a value that is no list yet has none. */
export function listItems(value: string): string[] {
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}
