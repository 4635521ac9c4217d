import { Group } from '@mantine/core';
import { CopyValue } from '../../ui/CopyValue.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { When } from '../../ui/When.tsx';
import { Section } from '../account/Section.tsx';
import type { User } from './user-words.ts';
import { loginTypeWords } from './user-words.ts';

/** What else is known of an account, and where to look further. */
export function UserFacts({ user }: { user: User }): React.JSX.Element {
  return (
    <Section title="About this account">
      <Facts
        facts={[
          ['E-mail', user.email],
          ['Signs in with', loginTypeWords(user.login_type)],
          ['Last seen', <When key="seen" at={user.last_seen_at} />],
          ['Created', <When key="created" at={user.created_at} />],
          [
            'Id',
            <Group key="id" gap={4} wrap="nowrap">
              {user.id}
              <CopyValue value={user.id} label="Copy user id" />
            </Group>,
          ],
        ]}
      />
      <Group gap="lg">
        <AnchorLink size="sm" to="/workspaces" search={{ q: `owner:${user.username}` }}>
          Workspaces of {user.username}
        </AnchorLink>
        <AnchorLink size="sm" to="/audit" search={{ q: `username:${user.username}` }}>
          What {user.username} did
        </AnchorLink>
        <AnchorLink size="sm" to="/audit" search={{ q: `resource_id:${user.id}` }}>
          What was done to this account
        </AnchorLink>
        <AnchorLink size="sm" to="/people/access" search={{ user: user.username }}>
          What {user.username} may do
        </AnchorLink>
      </Group>
    </Section>
  );
}
