import type { SidePage } from '../../ui/SideNavigation.tsx';
import type { SiteRights } from './use-permissions.ts';

interface PeoplePage extends SidePage {
  /** Absent: for everybody who sees the section. */
  readonly isFor?: (may: SiteRights) => boolean;
}

const PAGES = [
  { to: '/people/users', label: 'Users' },
  { to: '/people/organizations', label: 'Organizations' },
  { to: '/people/roles', label: 'Site roles' },
  { to: '/people/access', label: 'Who may what' },
  { to: '/people/sync', label: 'Sign-on sync', isFor: (may) => may.readSync },
] as const satisfies readonly PeoplePage[];

/** The pages of the section that somebody with these rights has a use for. */
export function peoplePages(may: SiteRights): readonly SidePage[] {
  return PAGES.filter((page: PeoplePage) => page.isFor?.(may) !== false);
}

/** Whether the section is for somebody with these rights at all: they see people other than themselves, or administer something here. */
export function seesPeople(may: SiteRights): boolean {
  return may.readUsers || may.readMembers || may.createOrganizations || may.defineSiteRoles || may.readAnySync;
}
