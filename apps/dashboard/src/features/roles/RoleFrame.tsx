import { Skeleton, Stack, Text } from '@mantine/core';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Page } from '../../ui/Page.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { organizationTitle } from '../organizations/organization-words.ts';
import type { AssignableRole } from './role-words.ts';

/** The name that the address of a role to be made has; no role can be called that. */
const NEW = 'new';

interface Props {
  readonly name: string;
  readonly roles: { readonly data: AssignableRole[] | undefined; readonly error: unknown; readonly refetch: () => unknown };
  /** Where the role counts, as a link. */
  readonly place: React.ReactNode;
  readonly actions: (role: AssignableRole) => React.ReactNode;
  /** Gets null for a new role. */
  readonly children: (role: AssignableRole | null) => React.ReactNode;
}

/** The page of one role, found in the list of its place. */
export function RoleFrame({ name, roles, place, actions, children }: Props): React.JSX.Element {
  const subtitle = (
    <Text span inherit>
      One of the {place}
    </Text>
  );
  if (name === NEW) {
    return (
      <Page title="New role" subtitle={subtitle}>
        {children(null)}
      </Page>
    );
  }
  if (roles.error !== null) {
    return <ErrorNotice error={roles.error} title="The role could not be loaded" onRetry={() => void roles.refetch()} />;
  }
  if (roles.data === undefined) {
    return (
      <Page title={name}>
        <Stack aria-busy="true">
          <Skeleton height={120} radius="md" />
          <Skeleton height={320} radius="md" />
        </Stack>
      </Page>
    );
  }
  const role = roles.data.find((candidate) => candidate.name === name);
  if (role === undefined) {
    return <NotFound kind="role" name={name} back={<Text size="sm">Go to the {place}</Text>} />;
  }
  return (
    <Page title={organizationTitle(role)} subtitle={subtitle} actions={actions(role)}>
      {children(role)}
    </Page>
  );
}
