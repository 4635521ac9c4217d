import { Badge, Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { ask, usePermissions } from '../access/use-permissions.ts';
import { Section } from '../account/Section.tsx';
import { MemberRoles } from '../organizations/MemberRoles.tsx';
import type { Organization } from '../organizations/organization-words.ts';
import { organizationTitle } from '../organizations/organization-words.ts';
import type { User } from './user-words.ts';

/** Where an account belongs, and what it may do there. */
export function UserOrganizations({ user }: { user: User }): React.JSX.Element {
  const organizations = useQuery(trpc.users.organizations.queryOptions({ user: user.id }));
  return (
    <Section title="Organizations" description="Templates, groups and workspaces live in organizations. Roles there count only there.">
      {organizations.isError ? (
        <ErrorNotice
          error={organizations.error}
          title="The organizations could not be loaded"
          onRetry={() => void organizations.refetch()}
        />
      ) : organizations.data === undefined ? (
        <Skeleton height={60} />
      ) : (
        <Stack gap="sm">
          {organizations.data.length === 0 && (
            <Text size="sm" c="dimmed">
              In no organization that you may see: they can sign in and do next to nothing.
            </Text>
          )}
          {organizations.data.map((organization) => (
            <Membership key={organization.id} user={user} organization={organization} />
          ))}
          <JoinOrganization user={user} joined={organizations.data} />
        </Stack>
      )}
    </Section>
  );
}

function Membership({ user, organization }: { user: User; organization: Organization }): React.JSX.Element {
  const [isEditing, editing] = useDisclosure(false);
  const roles = useRolesIn(user, organization);
  const title = organizationTitle(organization);
  const known = useQuery(trpc.roles.listOrganization.queryOptions({ organization: organization.id }, { retry: false }));
  const roleTitle = (name: string): string => {
    const role = known.data?.find((candidate) => candidate.name === name);
    return role === undefined ? name : organizationTitle(role);
  };
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="xs">
        <AnchorLink size="sm" fw={600} to="/people/organizations/$organization" params={{ organization: organization.name }}>
          {title}
        </AnchorLink>
        {roles?.length === 0 && <Badge color="gray">Member</Badge>}
        {roles?.map((role) => (
          <Badge key={role}>{roleTitle(role)}</Badge>
        ))}
      </Group>
      {roles !== undefined && (
        <>
          <Button size="compact-sm" variant="subtle" onClick={editing.open} aria-label={`Roles of ${user.username} in ${title}`}>
            Roles…
          </Button>
          <MemberRoles
            member={{ user_id: user.id, username: user.username, roles }}
            organization={organization}
            isOpen={isEditing}
            onClose={editing.close}
          />
        </>
      )}
    </Group>
  );
}

/**
 * The roles of an account in an organization; undefined as long as they are not known, or not for the caller to know. Whoever may not
 * read what is personal to the account may still be able to read the members of the organization.
 */
function useRolesIn(user: User, organization: Organization): readonly string[] | undefined {
  const own = useQuery(trpc.users.roles.queryOptions({ user: user.id }, { retry: false }));
  const members = useQuery(trpc.members.list.queryOptions({ organization: organization.id }, { retry: false, enabled: own.isError }));
  if (own.data !== undefined) return own.data.organization_roles[organization.id] ?? [];
  return members.data?.find((member) => member.user_id === user.id)?.roles.map(({ name }) => name);
}

function JoinOrganization({ user, joined }: { user: User; joined: readonly Organization[] }): React.JSX.Element | null {
  const queryClient = useQueryClient();
  const all = useQuery(trpc.organizations.list.queryOptions({}));
  const { may } = usePermissions({ add: ask('organization_member:create', { any_org: true }) });
  const [chosen, setChosen] = useState<string | null>(null);
  const add = useMutation(
    trpc.members.add.mutationOptions({
      onSuccess: async () => {
        setChosen(null);
        notifyDone(`${user.username} has joined.`);
        await Promise.all([
          queryClient.invalidateQueries(trpc.users.pathFilter()),
          queryClient.invalidateQueries(trpc.members.pathFilter()),
          queryClient.invalidateQueries(trpc.groups.pathFilter()),
        ]);
      },
      onError: (error) => notifyFailure(`${user.username} could not be added`, error),
    }),
  );
  const others = (all.data ?? []).filter(({ id }) => joined.every((organization) => organization.id !== id));
  if (!may.add || others.length === 0) return null;
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label="Add to an organization"
        placeholder="Choose one"
        data={others.map((organization) => ({ value: organization.id, label: organizationTitle(organization) }))}
        value={chosen}
        onChange={setChosen}
        searchable={others.length > 8}
        flex={1}
        maw={320}
      />
      <Button
        variant="default"
        disabled={chosen === null}
        loading={add.isPending}
        onClick={() => {
          if (chosen !== null) add.mutate({ organization: chosen, user: user.id });
        }}
      >
        Add
      </Button>
    </Group>
  );
}
