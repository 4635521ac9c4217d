import { nameProblem } from '@berth/domain';

export const GROUP_FIELDS = ['name', 'display_name', 'avatar_url', 'quota_allowance'] as const;
export const QUOTA_MAX = 2_147_483_647;

export interface GroupValues {
  readonly name: string;
  readonly display_name: string;
  readonly avatar_url: string;
  readonly quota_allowance: number | string;
}

/** The rules of the form, which are those of the server. Everyone keeps its reserved name. */
export function groupRules(ownName = '') {
  return {
    name: (value: string) => (value === ownName && value !== '' ? null : nameProblem('group_name', value)),
    display_name: (value: string) => nameProblem('display_name', value.trim()),
    quota_allowance: (value: number | string) =>
      typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= QUOTA_MAX
        ? null
        : 'Must be a whole number, 0 or more.',
  };
}
