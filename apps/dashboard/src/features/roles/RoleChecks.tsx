import { Checkbox, Stack, Text } from '@mantine/core';
import { organizationTitle } from '../organizations/organization-words.ts';
import type { AssignableRole } from './role-words.ts';
import { roleDescription } from './role-words.ts';

interface Props {
  readonly label: string;
  readonly roles: readonly AssignableRole[];
  readonly value: readonly string[];
  readonly onChange: (roles: string[]) => void;
  /** Why none of them can be changed, where that is so: only those that are held are shown then. */
  readonly lockedBecause?: string | undefined;
}

/** Roles to give and take, each with what it may do. Those that the signed-in person may not give stay as they are. */
export function RoleChecks({ label, roles, value, onChange, lockedBecause }: Props): React.JSX.Element {
  if (lockedBecause !== undefined) return <HeldRoles label={label} roles={roles} value={value} reason={lockedBecause} />;
  return (
    <Checkbox.Group value={[...value]} onChange={onChange} aria-label={label}>
      <Stack gap="sm">
        {roles.map((role) => (
          <Checkbox
            key={role.name}
            value={role.name}
            label={organizationTitle(role)}
            description={role.assignable ? roleDescription(role) : `${roleDescription(role)} Not yours to give or take.`}
            disabled={!role.assignable}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

interface HeldProps {
  readonly label: string;
  readonly roles: readonly AssignableRole[];
  readonly value: readonly string[];
  readonly reason: string;
}

function HeldRoles({ label, roles, value, reason }: HeldProps): React.JSX.Element {
  const held = roles.filter(({ name }) => value.includes(name));
  return (
    <Stack gap="sm">
      {held.length === 0 ? (
        <Text size="sm">None of these roles: a plain member.</Text>
      ) : (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label={label}>
          {held.map((role) => (
            <li key={role.name}>
              <Text size="sm" fw={600}>
                {organizationTitle(role)}
              </Text>
              <Text size="xs" c="dimmed">
                {roleDescription(role)}
              </Text>
            </li>
          ))}
        </Stack>
      )}
      <Text size="xs" c="dimmed">
        {reason}
      </Text>
    </Stack>
  );
}
