import type { TemplateVersionParameter } from '@berth/api/contract/template-versions';
import type { ParameterValue, RichParameter } from '@berth/domain';
import { askedParameters, resolveRichParameters, richParameterFromWire, valueProblem } from '@berth/domain';

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

/** Where the value of a field is from: the template, the person's last workspace of it, the link that led here, or their own hands. */
export type Origin = 'default' | 'earlier' | 'link' | 'own';

/** What is filled in, each kind over those before it. */
export interface Sources {
  readonly defaults: Draft;
  readonly earlier: Draft;
  readonly link: Draft;
  readonly own: Draft;
}

export function draftOf({ defaults, earlier, link, own }: Sources): Draft {
  return { ...defaults, ...earlier, ...link, ...own };
}

/** A value like the default is the default's, wherever else it stands too. */
export function originOf({ defaults, earlier, link, own }: Sources, name: string): Origin {
  const isFrom = (draft: Draft): boolean => Object.hasOwn(draft, name);
  const standard = defaults[name] ?? '';
  if (isFrom(own)) return own[name] === standard ? 'default' : 'own';
  if (isFrom(link)) return 'link';
  return isFrom(earlier) && earlier[name] !== standard ? 'earlier' : 'default';
}

/** Of the values of an earlier workspace, those that would still be taken. */
export function usableEarlier(definitions: readonly RichParameter[], earlier: readonly ParameterValue[]): Draft {
  const byName = new Map(definitions.map((parameter) => [parameter.name, parameter]));
  const usable = earlier.filter(({ name, value }) => {
    const parameter = byName.get(name);
    return parameter !== undefined && !parameter.ephemeral && value !== '' && valueProblem(parameter, value, null) === null;
  });
  return Object.fromEntries(usable.map(({ name, value }) => [name, value]));
}

/** What a link gives and the form has no field for, with why. */
export function unusedOf(
  definitions: readonly RichParameter[],
  fields: readonly ParameterField[],
  link: Draft,
): readonly { readonly name: string; readonly value: string; readonly reason: string }[] {
  const known = new Set(definitions.map(({ name }) => name));
  const asked = new Set(fields.map(({ parameter }) => parameter.name));
  return Object.entries(link)
    .filter(([name]) => !asked.has(name))
    .map(([name, value]) => ({
      name,
      value,
      reason: known.has(name) ? 'it is not asked for with these answers.' : 'the template does not ask for it.',
    }));
}

/** What people read for a parameter. */
export function parameterLabel({ displayName, name }: Pick<RichParameter, 'displayName' | 'name'>): string {
  return displayName === '' ? name : displayName;
}

/** A value as people read it: an option by its name, a list by its items. */
export function readableValue(parameter: RichParameter, value: string): string {
  const nameOf = (text: string): string => parameter.options.find((option) => option.value === text)?.name ?? text;
  if (parameter.options.some((option) => option.value === value)) return nameOf(value);
  if (parameter.type === 'list(string)') return listItems(value).map(nameOf).join(', ');
  if (parameter.type === 'bool') return value === 'true' ? 'Yes' : value === 'false' ? 'No' : value;
  return value;
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
