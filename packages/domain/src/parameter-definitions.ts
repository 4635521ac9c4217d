import { compilePattern, takesSeveral, valueProblem } from './parameter-value.ts';
import type { RichParameter } from './rich-parameter.ts';
import { PARAMETER_NAME_LENGTH, PARAMETER_PATTERN_LENGTH } from './rich-parameter.ts';

export interface DefinitionProblem {
  readonly parameter: string;
  readonly detail: string;
}

/** Everything that is wrong with the parameters of a template version, at once; empty if they can be used. */
export function validateDefinitions(definitions: readonly RichParameter[]): DefinitionProblem[] {
  const byName = new Map(definitions.map((parameter) => [parameter.name, parameter]));
  return definitions.flatMap((parameter, index) => {
    const details = [
      ...nameProblems(parameter, definitions.slice(0, index)),
      ...ruleProblems(parameter),
      ...optionProblems(parameter),
      ...defaultProblems(parameter),
      ...conditionProblems(parameter, byName),
    ];
    return details.map((detail) => ({ parameter: parameter.name, detail }));
  });
}

function* nameProblems({ name }: RichParameter, earlier: readonly RichParameter[]): Generator<string> {
  if (name.trim() === '') yield 'Needs a name.';
  if (name.length > PARAMETER_NAME_LENGTH) yield `The name must have at most ${PARAMETER_NAME_LENGTH} characters.`;
  if (earlier.some((other) => other.name === name)) yield 'Two parameters have this name.';
}

function* ruleProblems(parameter: RichParameter): Generator<string> {
  const { type, validationRegex, validationMin: min, validationMax: max, validationMonotonic, ephemeral, mutable } = parameter;
  if (validationRegex !== '') {
    if (type !== 'string') yield `A pattern needs type string, not ${type}.`;
    if (validationRegex.length > PARAMETER_PATTERN_LENGTH) yield `The pattern must have at most ${PARAMETER_PATTERN_LENGTH} characters.`;
    else if (compilePattern(validationRegex) === null) yield `The pattern ${validationRegex} cannot be read as an RE2 expression.`;
  }
  if ((min !== null || max !== null) && type !== 'number') yield `A minimum or maximum needs type number, not ${type}.`;
  if (min !== null && max !== null && min > max) yield `The minimum ${min} is above the maximum ${max}.`;
  if (validationMonotonic !== '' && type !== 'number') yield `A monotonic order needs type number, not ${type}.`;
  if (ephemeral && !mutable) yield 'An ephemeral parameter must be mutable.';
  if (ephemeral && parameter.required) yield 'An ephemeral parameter needs a default, so it cannot be required.';
}

function* optionProblems(parameter: RichParameter): Generator<string> {
  const { options } = parameter;
  if (new Set(options.map(({ value }) => value)).size < options.length) yield 'Two options have the same value.';
  if (new Set(options.map(({ name }) => name)).size < options.length) yield 'Two options have the same name.';
  for (const option of options) {
    if (option.name === '') yield 'An option needs a name.';
    // Of a list that takes several, each option is an item, for which there is no further rule.
    const problem = takesSeveral(parameter) ? null : valueProblem({ ...parameter, options: [], validationError: '' }, option.value, null);
    if (problem !== null) yield `The option "${option.name}" breaks the parameter's own rules. ${problem.detail}`;
  }
}

function* defaultProblems(parameter: RichParameter): Generator<string> {
  if (parameter.defaultValue === '') return;
  const problem = valueProblem({ ...parameter, validationError: '' }, parameter.defaultValue, null);
  if (problem !== null) yield `The default breaks the parameter's own rules. ${problem.detail}`;
}

function* conditionProblems(parameter: RichParameter, byName: ReadonlyMap<string, RichParameter>): Generator<string> {
  const { condition } = parameter;
  if (condition === null) return;
  if (condition.equals.length === 0) yield 'The condition names no value.';
  const other = byName.get(condition.parameter);
  if (other === undefined) {
    yield `The condition names the parameter "${condition.parameter}", which does not exist.`;
    return;
  }
  if (isCircular(parameter, byName)) yield 'The condition depends on the parameter itself.';
  const impossible = condition.equals.filter((value) => value !== '' && valueProblem(other, value, null) !== null);
  if (impossible.length > 0) yield `The condition names values that "${other.name}" never has: ${impossible.join(', ')}.`;
}

function isCircular(parameter: RichParameter, byName: ReadonlyMap<string, RichParameter>): boolean {
  const seen = new Set<string>();
  let next = parameter.condition?.parameter;
  while (next !== undefined && !seen.has(next)) {
    if (next === parameter.name) return true;
    seen.add(next);
    next = byName.get(next)?.condition?.parameter;
  }
  return false;
}
