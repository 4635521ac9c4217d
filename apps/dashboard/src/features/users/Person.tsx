import { Box, Group, Text } from '@mantine/core';
import { personName } from './user-words.ts';
import { UserAvatar } from '../../ui/UserAvatar.tsx';

interface Props {
  readonly person: { readonly username: string; readonly name: string; readonly avatar_url: string };
  /** In place of the name as plain text: a link to the person. */
  readonly link?: React.ReactNode;
  /** Under the name; the username where absent. */
  readonly detail?: React.ReactNode;
  /** Under that: what a narrow screen has no column for. */
  readonly below?: React.ReactNode;
}

/** Somebody in a row: picture, name, and what tells them apart from others of that name. */
export function Person({ person, link, detail, below }: Props): React.JSX.Element {
  return (
    <Group gap="sm" wrap="nowrap">
      <UserAvatar username={person.username} avatarUrl={person.avatar_url} />
      <Box miw={0}>
        {link ?? (
          <Text size="sm" fw={600} className="wrap-anywhere">
            {personName(person)}
          </Text>
        )}
        <Text component="div" size="xs" c="dimmed" className="wrap-anywhere">
          {detail ?? person.username}
        </Text>
        {below}
      </Box>
    </Group>
  );
}
