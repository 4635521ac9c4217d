import { AppShell, Burger, Container, Drawer, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Banners } from '../features/appearance/Banners.tsx';
import { useBrand } from '../features/appearance/brand.ts';
import { useLiveAppearance } from '../features/appearance/use-live-appearance.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { HelpSheet } from './HelpSheet.tsx';
import { Logo } from './Logo.tsx';
import { useNavigation } from './navigation.tsx';
import { PaletteButton } from './PaletteButton.tsx';
import { PaletteHost } from './PaletteHost.tsx';
import { useArrivals } from './use-arrivals.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { NavItemLink } from '../ui/links.tsx';

/** Header, navigation and shortcuts around every page after sign-in. */
export function Shell(): React.JSX.Element {
  const [isNavigationOpen, navigation] = useDisclosure(false);
  const [isHelpOpen, help] = useDisclosure(false);
  const { pathname } = useLocation();
  const places = useNavigation();
  const { name } = useBrand();
  const appearance = useLiveAppearance();
  // Workspaces have addresses of their own, and still belong to their list.
  const isHere = (to: string): boolean => pathname.startsWith(to) || (to === '/workspaces' && pathname.startsWith('/@'));
  useShortcuts({ onHelp: help.toggle, isHelpOpen });
  useArrivals();
  return (
    <AppShell header={{ height: 56 }} padding={0}>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <AppShell.Header style={{ background: 'var(--berth-surface)', borderColor: 'var(--berth-line)' }}>
        <Container size="xl" h="100%">
          <Group h="100%" justify="space-between" wrap="nowrap">
            <Group gap="lg" wrap="nowrap" miw={0}>
              <Burger hiddenFrom="md" size="sm" opened={isNavigationOpen} onClick={navigation.toggle} aria-label="Navigation" />
              <Link to="/workspaces" className="quiet-link" style={{ minWidth: 0 }} aria-label={`${name}, to the workspaces`}>
                <Logo />
              </Link>
              <Group component="nav" gap={4} wrap="nowrap" visibleFrom="md" style={{ flexShrink: 0 }} aria-label="Main">
                {places.map(({ to, label }) => (
                  <Link key={to} to={to} className="nav-link" aria-current={isHere(to) ? 'page' : undefined} activeProps={{}}>
                    {label}
                  </Link>
                ))}
              </Group>
            </Group>
            <Group gap="sm" wrap="nowrap" style={{ flexShrink: 0 }}>
              <PaletteButton />
              <AccountMenu onHelp={help.open} />
            </Group>
          </Group>
        </Container>
      </AppShell.Header>
      <Drawer opened={isNavigationOpen} onClose={navigation.close} title={name} size="xs" hiddenFrom="md">
        <Stack component="nav" gap={4} aria-label="Main">
          {places.map(({ to, label, icon }) => (
            <NavItemLink key={to} to={to} label={label} leftSection={icon} active={isHere(to)} onClick={navigation.close} />
          ))}
        </Stack>
      </Drawer>
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
        <Banners banners={appearance?.announcement_banners ?? []} />
        <Container size="xl" py="lg">
          <Outlet />
        </Container>
      </AppShell.Main>
      <PaletteHost onHelp={help.open} />
      <HelpSheet isOpen={isHelpOpen} onClose={help.close} />
    </AppShell>
  );
}
