import type { ParameterRule } from './parameter-value.ts';
import { valueProblem } from './parameter-value.ts';
import type { RichParameter } from './rich-parameter.ts';
import { sortRichParameters } from './rich-parameter.ts';

export interface ParameterValue {
  readonly name: string;
  readonly value: string;
}

export interface ParameterProblem {
  readonly parameter: string;
  readonly rule: ParameterRule;
  readonly detail: string;
}

export interface ParameterRequest {
  /** The parameters of the version to build, in any order. */
  readonly definitions: readonly RichParameter[];
  /** What was asked for. Names that the version does not have are ignored. */
  readonly requested: readonly ParameterValue[];
  /** The values of the workspace's last build; empty for its first. */
  readonly previous: readonly ParameterValue[];
}

export type ParameterResolution =
  | { readonly ok: true; readonly values: readonly ParameterValue[] }
  | { readonly ok: false; readonly problems: readonly ParameterProblem[] };

/**
 * The values of a build: for each parameter the one asked for, else the one of the last build (unless it is ephemeral), else the
 * default; or everything that is wrong with them, at once. A parameter whose condition is not met takes no value at all. The form, the
 * API and the provisioner all go through here.
 */
export function resolveRichParameters(request: ParameterRequest): ParameterResolution {
  const resolver = new Resolver(request);
  const ordered = sortRichParameters(request.definitions);
  const values: ParameterValue[] = [];
  for (const { name } of ordered) {
    const value = resolver.valueOf(name);
    if (value !== null) values.push({ name, value });
  }
  const problems = ordered.flatMap(({ name }) => resolver.problemsOf(name));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, values };
}

/**
 * The parameters to ask for, in order, given what was filled in so far: those whose condition is met and whose value may still be
 * chosen. Values that are not valid yet are taken as they are.
 */
export function askedParameters(request: ParameterRequest): RichParameter[] {
  const resolver = new Resolver(request);
  const stored = new Set(request.previous.map(({ name }) => name));
  return sortRichParameters(request.definitions).filter(
    (parameter) => resolver.isActive(parameter) && (parameter.mutable || !stored.has(parameter.name)),
  );
}

class Resolver {
  readonly #definitions: ReadonlyMap<string, RichParameter>;
  readonly #requested: ReadonlyMap<string, string>;
  readonly #previous: ReadonlyMap<string, string>;
  readonly #repeated: ReadonlySet<string>;
  readonly #values = new Map<string, string | null>();
  readonly #problems = new Map<string, ParameterProblem[]>();
  readonly #underway = new Set<string>();

  constructor({ definitions, requested, previous }: ParameterRequest) {
    this.#definitions = new Map(definitions.map((parameter) => [parameter.name, parameter]));
    this.#requested = new Map(requested.map(({ name, value }) => [name, value]));
    this.#previous = new Map(previous.map(({ name, value }) => [name, value]));
    this.#repeated = repeatedNames(requested);
  }

  /** The value that the parameter takes, sound or not; null if it takes none. */
  valueOf(name: string): string | null {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const parameter = this.#definitions.get(name);
    if (parameter === undefined) return null;
    if (this.#underway.has(name)) {
      this.#report(name, 'definition', 'The conditions of the template go in a circle.');
      return null;
    }
    this.#underway.add(name);
    const value = this.isActive(parameter) ? this.#resolve(parameter) : null;
    this.#underway.delete(name);
    this.#values.set(name, value);
    return value;
  }

  problemsOf(name: string): readonly ParameterProblem[] {
    return this.#problems.get(name) ?? [];
  }

  isActive({ condition }: RichParameter): boolean {
    if (condition === null) return true;
    const value = this.valueOf(condition.parameter);
    return value !== null && condition.equals.includes(value);
  }

  #resolve(parameter: RichParameter): string | null {
    const { name } = parameter;
    const requested = this.#requested.get(name);
    const previous = this.#previous.get(name);
    if (this.#repeated.has(name)) this.#report(name, 'duplicate', 'Was given more than once.');
    if (requested !== undefined && previous !== undefined && !parameter.mutable) {
      this.#report(name, 'immutable', 'Cannot be changed after the workspace was created.');
      return previous;
    }
    const carried = parameter.ephemeral ? undefined : previous;
    const chosen = requested ?? carried ?? parameter.defaultValue;
    const isUnanswered = requested === undefined && previous === undefined;
    if (parameter.required && (isUnanswered || chosen === '')) {
      this.#report(name, 'required', 'Needs a value.');
      return null;
    }
    const value = chosen === '' ? parameter.defaultValue : chosen;
    // Optional, and the template has no default: there is nothing to check.
    if (value === '') return value;
    const found = valueProblem(parameter, value, previous ?? null);
    if (found !== null) this.#report(name, found.rule, found.detail);
    return value;
  }

  #report(parameter: string, rule: ParameterRule, detail: string): void {
    const known = this.#problems.get(parameter) ?? [];
    this.#problems.set(parameter, [...known, { parameter, rule, detail }]);
  }
}

function repeatedNames(values: readonly ParameterValue[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(values.map(({ name }) => name).filter((name) => seen.size === seen.add(name).size));
}
