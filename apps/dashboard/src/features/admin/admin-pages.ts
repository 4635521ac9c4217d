import type { SidePage } from '../../ui/SideNavigation.tsx';
import type { SiteRights } from '../access/use-permissions.ts';

interface AdminPage extends SidePage {
  readonly isFor: (may: SiteRights) => boolean;
}

const PAGES = [
  { to: '/admin/health', label: 'Health', isFor: (may) => may.readHealth },
  { to: '/admin/provisioners', label: 'Provisioners', isFor: (may) => may.runProvisioners },
  { to: '/admin/proxies', label: 'Workspace proxies', isFor: (may) => may.writeProxies },
  { to: '/admin/external-auth', label: 'External auth', isFor: (may) => may.readConfig },
  { to: '/admin/appearance', label: 'Appearance', isFor: (may) => may.writeConfig },
  { to: '/admin/oauth2-apps', label: 'OAuth2 apps', isFor: (may) => may.writeOAuth2Apps },
  { to: '/admin/tokens', label: 'Tokens', isFor: (may) => may.readAllTokens },
  { to: '/admin/insights', label: 'Insights', isFor: (may) => may.viewInsights },
  { to: '/admin/settings', label: 'Settings', isFor: (may) => may.readConfig },
] as const satisfies readonly AdminPage[];

/** The pages of the section that somebody with these rights has a use for. */
export function adminPages(may: SiteRights): readonly SidePage[] {
  return PAGES.filter((page) => page.isFor(may));
}

/** Whether the section is for somebody with these rights at all. */
export function seesAdministration(may: SiteRights): boolean {
  return adminPages(may).length > 0;
}
