import { Alert, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { USER_TABS } from '../../app/people-tabs.ts';
import { trpc } from '../../api/trpc.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { NotForYou } from '../../ui/NotForYou.tsx';
import { Page } from '../../ui/Page.tsx';
import { LoadFailure } from '../../ui/NotFound.tsx';
import { TabRow } from '../../ui/TabRow.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { SiteRoles } from './SiteRoles.tsx';
import { useUserRights } from './use-user-rights.ts';
import { UserActions } from './UserActions.tsx';
import { UserFacts } from './UserFacts.tsx';
import { UserGroups } from './UserGroups.tsx';
import { UserOrganizations } from './UserOrganizations.tsx';
import { UserSessions } from './UserSessions.tsx';
import { UserStatusBadge } from './UserStatusBadge.tsx';
import type { User } from './user-words.ts';
import { personName } from './user-words.ts';

/** One account: who it is, what it may do, and what is signed in with it. */
export function UserPage(): React.JSX.Element {
  const { user: name } = useParams({ from: '/session/shell/people/users/$user' });
  const user = useQuery(trpc.users.get.queryOptions({ user: name }));
  if (user.data !== undefined) return <LoadedUser user={user.data} />;
  if (user.isError) {
    const back = <ButtonLink to="/people/users">Go to users</ButtonLink>;
    return <LoadFailure error={user.error} kind="user" name={name} back={back} onRetry={() => void user.refetch()} />;
  }
  return (
    <Page title={name}>
      <Stack aria-busy="true">
        <Skeleton height={36} />
        <Skeleton height={220} radius="md" />
        <Skeleton height={180} radius="md" />
      </Stack>
    </Page>
  );
}

function LoadedUser({ user }: { user: User }): React.JSX.Element {
  const { tab = 'overview' } = useSearch({ from: '/session/shell/people/users/$user' });
  const navigate = useNavigate({ from: '/people/users/$user' });
  const rights = useUserRights(user);
  return (
    <Page
      title={personName(user)}
      documentTitle={user.username}
      subtitle={
        <Group gap="xs">
          <Text span inherit className="wrap-anywhere">
            {user.username} · {user.email}
          </Text>
          <UserStatusBadge status={user.status} />
        </Group>
      }
      actions={<UserActions user={user} />}
    >
      {user.status === 'suspended' && (
        <Alert color="orange" title="Suspended">
          They cannot sign in, and no token of theirs works. Their workspaces are stopped and stay as they are.
        </Alert>
      )}
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => {
          const next = USER_TABS.find((known) => known === value);
          void navigate({ search: next === undefined || next === 'overview' ? {} : { tab: next }, replace: true });
        }}
      >
        <TabRow open={tab}>
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="access">Roles and groups</Tabs.Tab>
          {rights.may.readKeys && <Tabs.Tab value="sessions">Sessions and tokens</Tabs.Tab>}
        </TabRow>
        <Tabs.Panel value="overview">
          <Stack>
            <ProfileForm key={user.updated_at} user={user} mayChange={rights.may.updateProfile} />
            <UserFacts user={user} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="access">
          <Stack>
            <SiteRoles user={user} />
            <UserOrganizations user={user} />
            <UserGroups user={user} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="sessions">
          {rights.isKnown && !rights.may.readKeys ? (
            <NotForYou title="Their sessions and tokens are not for your role">
              Owners of the deployment see what is signed in as somebody else.
            </NotForYou>
          ) : (
            <UserSessions user={user} mayRevoke={rights.may.deleteKeys} />
          )}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
