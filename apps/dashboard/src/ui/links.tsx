import type { AnchorProps, ButtonProps, MenuItemProps, NavLinkProps } from '@mantine/core';
import { Anchor, Button, Menu, NavLink } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** The component library's links and buttons, with the router's typed addresses. */

type Anchored<Props> = Props & Omit<React.ComponentPropsWithRef<'a'>, keyof Props>;

export const ButtonLink = createLink((props: Anchored<ButtonProps>) => <Button component="a" {...props} />);
export const AnchorLink = createLink((props: Anchored<AnchorProps>) => <Anchor {...props} />);
export const MenuItemLink = createLink((props: Anchored<MenuItemProps>) => <Menu.Item component="a" {...props} />);
export const NavItemLink = createLink((props: Anchored<NavLinkProps>) => <NavLink component="a" {...props} />);
