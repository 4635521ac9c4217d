import { Alert, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { nameProblem } from '@berth/domain';
import { formErrors, problemOf } from '../../api/errors.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { UnsavedGuard } from '../../ui/LeaveGuard.tsx';
import { Section } from '../account/Section.tsx';
import type { Place } from '../access/use-permissions.ts';
import { PermissionMatrix } from './PermissionMatrix.tsx';
import type { RoleValues } from './role-form.ts';
import { ROLE_FIELDS, roleValues } from './role-form.ts';
import type { AssignableRole } from './role-words.ts';
import { roleDescription } from './role-words.ts';
import { useHeld } from './use-held.ts';

interface Props {
  /** Null for a new one. */
  readonly role: AssignableRole | null;
  /** Null for a role of the site. */
  readonly organizationId: string | null;
  readonly mayChange: boolean;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onSave: (values: RoleValues) => void;
}

const OWN: Place = { owner_id: 'me' };

/** A role: what it is called and what it grants. Built-in roles are only shown. */
export function RoleEditor({ role, organizationId, mayChange, isPending, error, onSave }: Props): React.JSX.Element {
  const held = useHeld(organizationId === null ? {} : { organization_id: organizationId });
  const heldOverOwn = useHeld(OWN);
  const form = useForm<RoleValues>({
    initialValues: roleValues(role),
    validateInputOnBlur: true,
    validate: {
      name: (value) => (role === null ? nameProblem('name', value) : null),
      display_name: (value) => nameProblem('display_name', value.trim()),
    },
  });
  const isReadOnly = role?.built_in === true || !mayChange;
  const refused = error === null ? {} : formErrors(problemOf(error), ROLE_FIELDS).errors;
  return (
    <form noValidate onSubmit={form.onSubmit((values) => onSave({ ...values, display_name: values.display_name.trim() }))}>
      <Stack>
        {role?.built_in === true && (
          <Alert variant="default" title="Built in">
            {roleDescription(role)} It comes with Berth and cannot be changed.
          </Alert>
        )}
        <UnsavedGuard isDirty={!isReadOnly && form.isDirty()} />
        <Refusal error={error} fields={ROLE_FIELDS} />
        {role?.built_in !== true && (
          <Section title="Name">
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput
                label="Name"
                description={role === null ? 'Letters, digits and single hyphens. Cannot be changed later.' : 'Cannot be changed.'}
                required
                readOnly={role !== null || isReadOnly}
                {...form.getInputProps('name')}
                error={form.errors['name'] ?? refused['name']}
              />
              <TextInput
                label="Display name"
                description="What people read. Optional."
                readOnly={isReadOnly}
                {...form.getInputProps('display_name')}
                error={form.errors['display_name'] ?? refused['display_name']}
              />
            </SimpleGrid>
          </Section>
        )}
        <Section
          title={organizationId === null ? 'On everything' : 'In this organization'}
          description={isReadOnly ? undefined : 'What its holders may do. You can pass on what you hold yourself; the rest is greyed out.'}
        >
          <PermissionMatrix
            label={organizationId === null ? 'Permissions on everything' : 'Permissions in this organization'}
            value={form.values.everywhere}
            onChange={(everywhere) => form.setFieldValue('everywhere', everywhere)}
            held={held}
            isReadOnly={isReadOnly}
          />
        </Section>
        {organizationId === null && !(isReadOnly && form.values.own.length === 0) && (
          <Section title="On what they own" description={isReadOnly ? undefined : 'Only over things of the holder’s own.'}>
            <PermissionMatrix
              label="Permissions on what they own"
              value={form.values.own}
              onChange={(own) => form.setFieldValue('own', own)}
              held={heldOverOwn}
              isReadOnly={isReadOnly}
            />
          </Section>
        )}
        {!isReadOnly && (
          <Group justify="flex-end">
            {role !== null && (
              <Text size="sm" c="dimmed">
                A change counts at once for everybody who holds the role.
              </Text>
            )}
            <Button type="submit" disabled={role !== null && !form.isDirty()} loading={isPending}>
              {role === null ? 'Create role' : 'Save role'}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
