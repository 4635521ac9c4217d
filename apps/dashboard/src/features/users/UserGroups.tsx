import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { Section } from '../account/Section.tsx';
import { groupTitle, isEveryone } from '../groups/group-words.ts';
import { organizationTitle } from '../organizations/organization-words.ts';
import type { User } from './user-words.ts';

/** The groups of an account that the signed-in person may see. */
export function UserGroups({ user }: { user: User }): React.JSX.Element {
  const groups = useQuery(trpc.groups.list.queryOptions({ has_member: user.id }));
  const own = (groups.data ?? []).filter((group) => !isEveryone(group));
  return (
    <Section title="Groups" description="Templates can be shared with groups, and groups add to what their members may use.">
      {groups.isError ? (
        <ErrorNotice error={groups.error} title="The groups could not be loaded" onRetry={() => void groups.refetch()} />
      ) : groups.data === undefined ? (
        <Skeleton height={40} />
      ) : own.length === 0 ? (
        <Text size="sm" c="dimmed">
          In no group but Everyone of their organizations.
        </Text>
      ) : (
        <Stack gap="xs">
          {own.map((group) => (
            <Group key={group.id} gap="xs">
              <AnchorLink
                size="sm"
                fw={600}
                to="/people/organizations/$organization/groups/$group"
                params={{ organization: group.organization_name, group: group.name }}
              >
                {groupTitle(group)}
              </AnchorLink>
              <Text size="sm" c="dimmed">
                in {organizationTitle({ name: group.organization_name, display_name: group.organization_display_name })}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
    </Section>
  );
}
