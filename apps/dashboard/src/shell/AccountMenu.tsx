import { Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconBook, IconKey, IconKeyboard, IconLogout, IconInfoCircle, IconUserCog } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { SupportLinks } from './SupportLinks.tsx';
import { COLOR_SCHEMES, useAppearance } from '../features/account/use-appearance.ts';
import { meQuery } from '../features/session/session.ts';
import { useSignOut } from '../features/session/use-sign-out.ts';
import { MenuItemLink } from '../ui/links.tsx';
import { UserAvatar } from '../ui/UserAvatar.tsx';

/** Who is signed in, and what concerns only them. */
export function AccountMenu({ onHelp }: { onHelp: () => void }): React.JSX.Element {
  const { data: me } = useSuspenseQuery(meQuery());
  const { scheme, choose } = useAppearance();
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={240} shadow="md" withinPortal={false}>
      <Menu.Target>
        <UnstyledButton style={{ borderRadius: '50%' }}>
          <VisuallyHidden>Account of {me.username}</VisuallyHidden>
          <UserAvatar username={me.username} avatarUrl={me.avatar_url} size={34} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} truncate c="var(--mantine-color-text)">
            {me.name === '' ? me.username : me.name}
          </Text>
          <Text size="xs" truncate>
            {me.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        <Menu.RadioGroup value={scheme} onChange={choose}>
          {COLOR_SCHEMES.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <MenuItemLink leftSection={<IconUserCog size={16} />} to="/account">
          Account settings
        </MenuItemLink>
        <MenuItemLink leftSection={<IconKey size={16} />} to="/account/tokens">
          API tokens
        </MenuItemLink>
        <Menu.Item leftSection={<IconBook size={16} />} component="a" href="/api/v2/docs" target="_blank">
          API explorer
        </Menu.Item>
        <SupportLinks />
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={onHelp}>
          Keyboard shortcuts
        </Menu.Item>
        <MenuItemLink leftSection={<IconInfoCircle size={16} />} to="/account/about">
          About Berth
        </MenuItemLink>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate({})}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
