import { Checkbox, Stack } from '@mantine/core';
import { organizationTitle } from '../organizations/organization-words.ts';
import type { AssignableRole } from './role-words.ts';
import { roleDescription } from './role-words.ts';

interface Props {
  readonly label: string;
  readonly roles: readonly AssignableRole[];
  readonly value: readonly string[];
  readonly onChange: (roles: string[]) => void;
  /** Why none of them can be changed, where that is so. */
  readonly lockedBecause?: string | undefined;
}

/** Roles to give and take, each with what it may do. Those that the signed-in person may not give stay as they are. */
export function RoleChecks({ label, roles, value, onChange, lockedBecause }: Props): React.JSX.Element {
  return (
    <Checkbox.Group value={[...value]} onChange={onChange} aria-label={label} description={lockedBecause}>
      <Stack gap="sm" mt={lockedBecause === undefined ? 0 : 'sm'}>
        {roles.map((role) => (
          <Checkbox
            key={role.name}
            value={role.name}
            label={organizationTitle(role)}
            description={
              role.assignable || lockedBecause !== undefined
                ? roleDescription(role)
                : `${roleDescription(role)} You cannot give or take it.`
            }
            disabled={lockedBecause !== undefined || !role.assignable}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
