import { compilePattern, richParameterFromWire, takesSeveral, valueProblem } from '@berth/domain';
import type { BerthYaml, ParameterFormat, VariableFormat } from './format.ts';
import { isRequired, parameterEnvironmentName, toRichParameter, toText } from './parameters.ts';
import type { BrokenRule, Path } from './read-template.ts';
import { twins } from './twins.ts';

/** The rules between the fields of parameters and variables. What a value has to be like is the domain's to say. */
export function checkInputs(yaml: BerthYaml): BrokenRule[] {
  return [
    ...twins(yaml.variables, { path: ['variables'], key: 'name', of: (item) => item.name }),
    ...twins(yaml.parameters, { path: ['parameters'], key: 'name', of: (item) => parameterEnvironmentName(item.name) }),
    ...yaml.variables.flatMap((variable, index) => checkVariable(variable, ['variables', index])),
    ...yaml.parameters.flatMap((parameter, index) => checkParameter({ yaml, parameter, path: ['parameters', index] })),
  ];
}

function checkVariable(variable: VariableFormat, path: Path): BrokenRule[] {
  const { type } = variable;
  if (variable.default === undefined) {
    return isRequired(variable) || type === 'string' ? [] : [{ path, rule: `a ${type} that is not required needs a default` }];
  }
  const text = toText(variable.default);
  const fits = type === 'string' || (type === 'number' ? /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) : text === 'true' || text === 'false');
  return fits ? [] : [{ path: [...path, 'default'], rule: `must be a ${type}` }];
}

function checkParameter({ yaml, parameter, path }: { yaml: BerthYaml; parameter: ParameterFormat; path: Path }): BrokenRule[] {
  const { type, validation, options, condition } = parameter;
  const broken: BrokenRule[] = [];
  const refuse = (key: readonly PropertyKey[], rule: string) => broken.push({ path: [...path, ...key], rule });

  if (parameter.required === true && parameter.default !== undefined) refuse(['required'], 'a required parameter has no default');
  if (parameter.default === undefined && !isRequired(parameter) && type !== 'string') {
    refuse([], `a ${type} that is not required needs a default`);
  }
  if (parameter.ephemeral && !parameter.mutable) refuse(['ephemeral'], 'needs mutable: true');
  if (parameter.ephemeral && parameter.default === undefined) refuse(['ephemeral'], 'needs a default');

  broken.push(...twins(options, { path: [...path, 'options'], key: 'value', of: (item) => toText(item.value) }));
  broken.push(...twins(options, { path: [...path, 'options'], key: 'name', of: (item) => item.name }));
  const isSeveral = takesSeveral(toRichParameter(parameter, 0));
  for (const [index, option] of options.entries()) {
    // Of a list that takes several, each option is an item, for which there is no further rule.
    const fault = isSeveral ? undefined : faultOfValue({ ...parameter, options: [] }, toText(option.value));
    if (fault !== undefined) refuse(['options', index, 'value'], fault);
  }

  if (validation?.regex !== undefined) {
    if (type !== 'string') refuse(['validation', 'regex'], 'is for strings only');
    if (compilePattern(validation.regex) === null) {
      refuse(['validation', 'regex'], 'is not a regular expression of RE2, which has no look-around and no back-references');
    }
  }
  for (const key of ['min', 'max', 'monotonic'] as const) {
    if (validation?.[key] !== undefined && type !== 'number') refuse(['validation', key], 'is for numbers only');
  }
  if (validation?.min !== undefined && validation.max !== undefined && validation.min > validation.max) {
    refuse(['validation', 'min'], 'is larger than max');
  }

  if (parameter.default !== undefined && toText(parameter.default) !== '') {
    const fault = faultOfValue(parameter, toText(parameter.default));
    if (fault !== undefined) refuse(['default'], fault);
  }

  if (condition !== undefined) broken.push(...checkCondition({ yaml, parameter, path: [...path, 'condition'] }));
  return broken;
}

/** Why the parameter can never have the value, in the words of the file; undefined if it can. */
function faultOfValue(parameter: ParameterFormat, text: string): string | undefined {
  const definition = { ...richParameterFromWire(toRichParameter(parameter, 0)), validationError: '' };
  const problem = valueProblem(definition, text, null);
  switch (problem?.rule) {
    case undefined:
    // A pattern that cannot be read is refused where it stands.
    case 'definition':
      return undefined;
    case 'option':
      return 'must be the value of one of the options';
    case 'regex':
      return 'does not match validation.regex';
    case 'min':
      return 'is less than validation.min';
    case 'max':
      return 'is more than validation.max';
    case 'type':
    case 'length':
    case 'immutable':
    case 'required':
    case 'duplicate':
    case 'monotonic':
      return `${problem.detail.charAt(0).toLowerCase()}${problem.detail.slice(1).replace(/\.$/, '')}`;
  }
}

function checkCondition({ yaml, parameter, path }: { yaml: BerthYaml; parameter: ParameterFormat; path: Path }): BrokenRule[] {
  const { condition } = parameter;
  if (condition === undefined) return [];
  const other = yaml.parameters.find((candidate) => candidate.name === condition.parameter);
  if (other === undefined) return [{ path: [...path, 'parameter'], rule: `there is no parameter ${condition.parameter}` }];
  const seen = new Set([parameter.name]);
  for (let at: ParameterFormat | undefined = other; at !== undefined;) {
    if (seen.has(at.name)) return [{ path: [...path, 'parameter'], rule: 'the conditions go round in a circle' }];
    seen.add(at.name);
    const next: string | undefined = at.condition?.parameter;
    at = yaml.parameters.find((candidate) => candidate.name === next);
  }
  const broken: BrokenRule[] = [];
  if (parameter.default === undefined) broken.push({ path, rule: 'a parameter that is not always asked for needs a default' });
  const never = [condition.equals]
    .flat()
    .map(toText)
    .find((text) => text !== '' && faultOfValue(other, text) !== undefined);
  if (never !== undefined) broken.push({ path: [...path, 'equals'], rule: `${other.name} can never be ${JSON.stringify(never)}` });
  return broken;
}
