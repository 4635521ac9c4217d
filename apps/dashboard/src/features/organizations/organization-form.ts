import { nameProblem } from '@berth/domain';

export const ORGANIZATION_FIELDS = ['name', 'display_name', 'description', 'icon'] as const;
const DESCRIPTION_LENGTH = 1024;

/** The rules of the form, which are those of the server. The default organization keeps its reserved name. */
export function organizationRules(ownName = '') {
  return {
    name: (value: string) => (value === ownName && value !== '' ? null : nameProblem('organization_name', value)),
    display_name: (value: string) => nameProblem('display_name', value.trim()),
    description: (value: string) => (value.length > DESCRIPTION_LENGTH ? `Must have at most ${DESCRIPTION_LENGTH} characters.` : null),
  };
}
