import type { ParameterValue, RichParameter } from '@berth/domain';
import { valueProblem } from '@berth/domain';
import { parameterLabel, readableValue } from '../../create-workspace/parameter-form.ts';

/** What the template's active version makes of a parameter, when that is another one. */
export type Outlook =
  | { readonly kind: 'same' }
  | { readonly kind: 'new'; readonly isRequired: boolean }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly rule: string }
  | { readonly kind: 'other_default'; readonly to: string };

export interface ParameterRow {
  readonly name: string;
  readonly title: string;
  /** As people read it; null for one that the workspace was not asked for yet. */
  readonly value: string | null;
  /** Whether the value is what the template proposes. */
  readonly isDefault: boolean;
  /** Of its own version, as people read it; empty for none. */
  readonly standard: string;
  readonly isMutable: boolean;
  readonly isEphemeral: boolean;
  readonly outlook: Outlook;
}

interface Facts {
  /** Of the version that the workspace is on, */
  readonly current: readonly RichParameter[];
  /** and of the one that is active; the same while it is up to date. */
  readonly active: readonly RichParameter[];
  readonly values: readonly ParameterValue[];
}

/** What a workspace was last built with, each parameter with what the active version would make of it; new ones last. */
export function parameterRows({ current, active, values }: Facts): readonly ParameterRow[] {
  const stored = new Map(values.map(({ name, value }) => [name, value]));
  const following = new Map(active.map((parameter) => [parameter.name, parameter]));
  const known = new Set(current.map(({ name }) => name));
  const rows = current.map((parameter) => {
    const value = stored.get(parameter.name);
    return {
      ...commonRow(parameter),
      value: value === undefined ? null : readableValue(parameter, value),
      isDefault: value === parameter.defaultValue,
      outlook: outlookOf(parameter, following.get(parameter.name), value),
    };
  });
  const added = active
    .filter(({ name }) => !known.has(name))
    .map((parameter) => ({
      ...commonRow(parameter),
      value: null,
      isDefault: false,
      outlook: { kind: 'new', isRequired: parameter.required } as const,
    }));
  return [...rows, ...added];
}

function commonRow(parameter: RichParameter) {
  return {
    name: parameter.name,
    title: parameterLabel(parameter),
    standard: readableValue(parameter, parameter.defaultValue),
    isMutable: parameter.mutable,
    isEphemeral: parameter.ephemeral,
  };
}

function outlookOf(parameter: RichParameter, next: RichParameter | undefined, value: string | undefined): Outlook {
  if (next === undefined) return { kind: 'gone' };
  const problem = value === undefined || next.ephemeral ? null : valueProblem(next, value, null);
  if (problem !== null) return { kind: 'refused', rule: problem.detail };
  if (next.defaultValue !== parameter.defaultValue) return { kind: 'other_default', to: readableValue(next, next.defaultValue) };
  return { kind: 'same' };
}

/** The outlook in a few words; empty when nothing changes. */
export function outlookWords(outlook: Outlook): string {
  switch (outlook.kind) {
    case 'same':
      return '';
    case 'new':
      return outlook.isRequired ? 'New in the active version, which needs an answer' : 'New in the active version';
    case 'gone':
      return 'The active version does not ask for it any more';
    case 'refused':
      return `The active version refuses it: ${outlook.rule}`;
    case 'other_default':
      return outlook.to === '' ? 'The active version proposes nothing' : `The active version proposes ${outlook.to}`;
  }
}
