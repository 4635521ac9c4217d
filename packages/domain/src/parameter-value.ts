import { RE2JS } from 're2js';
import type { RichParameter } from './rich-parameter.ts';
import { PARAMETER_PATTERN_LENGTH, PARAMETER_VALUE_LENGTH } from './rich-parameter.ts';

export type ParameterRule =
  | 'immutable'
  | 'required'
  | 'duplicate'
  | 'length'
  | 'monotonic'
  | 'option'
  | 'type'
  | 'regex'
  | 'min'
  | 'max'
  | 'definition';

/** A rule that a value broke, in words. */
export interface ValueProblem {
  readonly rule: ParameterRule;
  readonly detail: string;
}

const INTEGER = /^[+-]?\d{1,15}$/;
const NUMBER = /^[+-]?(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})$/;

const patterns = new Map<string, RE2JS | null>();
const PATTERN_CACHE_SIZE = 256;

/**
 * The compiled pattern, or null if it is none. The syntax is RE2, which matches in time linear in the value's length: a template
 * cannot hang the server or a browser with its pattern.
 */
export function compilePattern(source: string): RE2JS | null {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  const made = source.length > PARAMETER_PATTERN_LENGTH ? null : tryCompile(source);
  if (patterns.size >= PATTERN_CACHE_SIZE) patterns.clear();
  patterns.set(source, made);
  return made;
}

function tryCompile(source: string): RE2JS | null {
  try {
    return RE2JS.compile(source);
  } catch {
    return null;
  }
}

/**
 * Whether a parameter takes any number of its options at once: a list whose options are items. Where each option is a whole list, one of
 * them is taken.
 */
export function takesSeveral({ type, options }: Pick<RichParameter, 'type' | 'options'>): boolean {
  return type === 'list(string)' && options.length > 0 && options.every(({ value }) => stringList(value) === null);
}

const LIST_PROBLEM = { rule: 'type', detail: 'Must be a JSON list of texts, such as ["a", "b"].' } as const;

/** The first rule that `value` breaks, or null. `previous` is the value of the last build; empty or null if there was none. */
export function valueProblem(parameter: RichParameter, value: string, previous: string | null): ValueProblem | null {
  if (value.length > PARAMETER_VALUE_LENGTH) {
    return { rule: 'length', detail: `Must have at most ${PARAMETER_VALUE_LENGTH} characters.` };
  }
  if (value.includes('\0')) return { rule: 'type', detail: 'Must not contain NUL characters.' };
  return (
    monotonicProblem(parameter, value, previous) ??
    (parameter.options.length > 0 ? optionProblem(parameter, value) : typedProblem(parameter, value))
  );
}

function monotonicProblem(parameter: RichParameter, value: string, previous: string | null): ValueProblem | null {
  const { type, validationMonotonic } = parameter;
  if (type !== 'number' || validationMonotonic === '' || previous === null || previous === '') return null;
  if (!INTEGER.test(value)) return problem(parameter, 'type', value, 'Must be a whole number.');
  // A value that was stored when other rules held cannot be compared with, and must not lock the workspace.
  if (!INTEGER.test(previous)) return null;
  const [now, before] = [Number(value), Number(previous)];
  if (validationMonotonic === 'increasing' && now < before) {
    return problem(parameter, 'monotonic', value, `May only grow: must be at least the present value ${previous}.`);
  }
  if (validationMonotonic === 'decreasing' && now > before) {
    return problem(parameter, 'monotonic', value, `May only shrink: must be at most the present value ${previous}.`);
  }
  return null;
}

function optionProblem(parameter: RichParameter, value: string): ValueProblem | null {
  const offered = new Set(parameter.options.map((option) => option.value));
  const isSeveral = takesSeveral(parameter);
  const items = isSeveral ? stringList(value) : [value];
  if (items === null) return LIST_PROBLEM;
  if (items.every((item) => offered.has(item))) return null;
  const values = parameter.options.map((option) => option.value);
  const shown = values.slice(0, 10).join(', ');
  const range = isSeveral ? 'Takes only' : 'Must be one of';
  return { rule: 'option', detail: `${range}: ${shown}${values.length > 10 ? ', …' : ''}.` };
}

function typedProblem(parameter: RichParameter, value: string): ValueProblem | null {
  switch (parameter.type) {
    case 'bool':
      return value === 'true' || value === 'false' ? null : { rule: 'type', detail: 'Must be true or false.' };
    case 'list(string)':
      return stringList(value) === null ? LIST_PROBLEM : null;
    case 'string':
      return regexProblem(parameter, value);
    case 'number':
      return numberProblem(parameter, value);
  }
}

function regexProblem(parameter: RichParameter, value: string): ValueProblem | null {
  if (parameter.validationRegex === '') return null;
  const pattern = compilePattern(parameter.validationRegex);
  if (pattern === null) return { rule: 'definition', detail: "The template's pattern for this parameter cannot be read." };
  return pattern.test(value) ? null : problem(parameter, 'regex', value, `Must match the pattern ${parameter.validationRegex}.`);
}

/** Numbers are whole as soon as they are bounded or ordered; without such a rule any decimal number will do. */
function numberProblem(parameter: RichParameter, value: string): ValueProblem | null {
  const { validationMin: min, validationMax: max, validationMonotonic } = parameter;
  const isWhole = min !== null || max !== null || validationMonotonic !== '';
  if (!isWhole) return NUMBER.test(value) ? null : { rule: 'type', detail: 'Must be a number.' };
  if (!INTEGER.test(value)) return problem(parameter, 'type', value, 'Must be a whole number.');
  const number = Number(value);
  if (min !== null && number < min) return problem(parameter, 'min', value, `Must be ${bounds(min, max)}.`);
  if (max !== null && number > max) return problem(parameter, 'max', value, `Must be ${bounds(min, max)}.`);
  return null;
}

function bounds(min: number | null, max: number | null): string {
  if (min !== null && max !== null) return `between ${min} and ${max}`;
  return min !== null ? `at least ${min}` : `at most ${max}`;
}

/** The template's own words if it has any for this. */
function problem(parameter: RichParameter, rule: ParameterRule, value: string, detail: string): ValueProblem {
  if (parameter.validationError === '') return { rule, detail };
  const filled: Record<string, string> = {
    '{min}': String(parameter.validationMin ?? ''),
    '{max}': String(parameter.validationMax ?? ''),
    '{value}': value,
  };
  return { rule, detail: parameter.validationError.replace(/\{(?:min|max|value)\}/g, (placeholder) => filled[placeholder] ?? '') };
}

/** The items of a JSON list of texts; null when `value` is none. */
function stringList(value: string): string[] | null {
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) && parsed.every((item) => typeof item === 'string') ? parsed : null;
  } catch {
    return null;
  }
}
