import { IconBox, IconHistory, IconSettings, IconShare, IconTemplate, IconUsers } from '@tabler/icons-react';
import { seesPeople } from '../features/access/people-pages.ts';
import { useSiteRights } from '../features/access/use-permissions.ts';
import { seesAdministration } from '../features/admin/admin-pages.ts';

/** The places of the dashboard; `key` follows `g`. */
const NAVIGATION = [
  { to: '/workspaces', label: 'Workspaces', key: 'w', icon: <IconBox size={18} /> },
  { to: '/shared', label: 'Shared with me', key: 's', icon: <IconShare size={18} /> },
  { to: '/templates', label: 'Templates', key: 't', icon: <IconTemplate size={18} /> },
  { to: '/audit', label: 'Audit log', key: 'a', icon: <IconHistory size={18} /> },
  // The last ones: they come when the server has said that they may, and move nothing then.
  { to: '/people', label: 'People', key: 'p', icon: <IconUsers size={18} /> },
  { to: '/admin', label: 'Admin', key: 'd', icon: <IconSettings size={18} /> },
] as const;

export type NavigationPlace = (typeof NAVIGATION)[number];

/** The places that the signed-in person has a use for. */
export function useNavigation(): readonly NavigationPlace[] {
  const { may } = useSiteRights();
  return NAVIGATION.filter(({ to }) => (to === '/people' ? seesPeople(may) : to !== '/admin' || seesAdministration(may)));
}
