import type { TemplateVersionParameter } from '@berth/api/contract/template-versions';

/** What an answer to a parameter has to keep to, a sentence for each rule. */
export function parameterRules(parameter: TemplateVersionParameter): string[] {
  const rules = [typeRule(parameter)];
  if (parameter.validation_regex !== '') {
    rules.push(parameter.validation_error === '' ? `Matches ${parameter.validation_regex}` : parameter.validation_error);
  }
  if (parameter.validation_min !== null || parameter.validation_max !== null) {
    rules.push(range(parameter.validation_min, parameter.validation_max));
  }
  if (parameter.validation_monotonic === 'increasing') rules.push('Never becomes less');
  if (parameter.validation_monotonic === 'decreasing') rules.push('Never becomes more');
  rules.push(parameter.ephemeral ? 'For one build only' : parameter.mutable ? 'Can be changed later' : 'Cannot be changed later');
  if (parameter.condition !== null) {
    rules.push(`Asked for while ${parameter.condition.parameter} is ${parameter.condition.equals.join(' or ')}`);
  }
  return rules;
}

function typeRule({ type, options }: TemplateVersionParameter): string {
  if (options.length > 0) return `One of: ${options.map(({ name }) => name).join(', ')}`;
  switch (type) {
    case 'string':
      return 'Text';
    case 'number':
      return 'A number';
    case 'bool':
      return 'Yes or no';
    case 'list(string)':
      return 'A list';
  }
}

function range(min: number | null, max: number | null): string {
  if (min === null) return `At most ${max}`;
  return max === null ? `At least ${min}` : `From ${min} to ${max}`;
}
