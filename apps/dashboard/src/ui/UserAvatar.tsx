import { Avatar } from '@mantine/core';
import { initials } from './initials.ts';

interface Props {
  /** Every place knows it, so that a user has the same letters everywhere. Empty: no user. */
  readonly username: string;
  /** Empty without a picture. */
  readonly avatarUrl: string;
  readonly size?: number;
  /** Hides it on screens that have no room for it. */
  readonly visibleFrom?: 'xs';
}

/** The picture of a user, or the initials of the username. The name stands beside it. */
export function UserAvatar({ username, avatarUrl, size = 32, ...rest }: Props): React.JSX.Element {
  return (
    <Avatar aria-hidden src={avatarUrl === '' ? null : avatarUrl} alt="" size={size} color="harbour" {...rest}>
      {username === '' ? '?' : initials(username)}
    </Avatar>
  );
}
