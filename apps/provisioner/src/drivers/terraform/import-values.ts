import type { RichParameter } from '@berth/protocol';
import { z } from 'zod';
import type { NamedValue } from '../../driver.ts';
import type { RequiredParameter } from './hcl.ts';

/**
 * An import has no answers to the questions that a template asks, and a plan cannot go on without. So a required parameter is given an
 * example, which never leaves the import.
 */
export function exampleValues(required: readonly RequiredParameter[]): NamedValue[] {
  return required.flatMap((parameter) => {
    const value = exampleOf(parameter);
    return parameter.name === undefined || value === undefined ? [] : [{ name: parameter.name, value }];
  });
}

function exampleOf({ type, firstOption, validation }: RequiredParameter): string | undefined {
  if (firstOption !== undefined) return type === 'list(string)' ? JSON.stringify([firstOption]) : firstOption;
  switch (type) {
    case 'number':
      return String([validation?.['min'], validation?.['max']].find((bound) => typeof bound === 'number') ?? 0);
    case 'bool':
      return 'false';
    case 'list(string)':
      return '[]';
    default:
      return undefined;
  }
}

/** Required texts with an expression that they must match: no example could be made up for them. */
function unmatched(required: readonly RequiredParameter[]): RequiredParameter[] {
  return required.filter(({ type, firstOption, validation }) => type === 'string' && firstOption === undefined && validation !== undefined);
}

/** An override file that lets such texts be empty during an import, or nothing where there is none. */
export function relaxedValidations(required: readonly RequiredParameter[]): string | undefined {
  const labels = unmatched(required).map(({ label }) => label);
  if (labels.length === 0) return undefined;
  return JSON.stringify({ data: { coder_parameter: Object.fromEntries(labels.map((label) => [label, { validation: [{}] }])) } });
}

const Validation = z.object({ regex: z.string().catch(''), error: z.string().catch('') });

/** Puts back what `relaxedValidations` took away. */
export function restoreValidations(parameters: readonly RichParameter[], required: readonly RequiredParameter[]): RichParameter[] {
  return parameters.map((parameter) => {
    const origin = unmatched(required).find(({ name }) => name === parameter.name);
    if (origin === undefined) return parameter;
    const { regex, error } = Validation.parse(origin.validation);
    return { ...parameter, validation_regex: regex, validation_error: error };
  });
}
