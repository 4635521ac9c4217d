import { Outlet } from '@tanstack/react-router';
import { SideNavigation } from '../../ui/SideNavigation.tsx';
import { ACCOUNT_PAGES } from './account-pages.ts';

/** The frame of the pages about one's own account. */
export function AccountLayout(): React.JSX.Element {
  return (
    <SideNavigation label="Account" pages={ACCOUNT_PAGES}>
      <Outlet />
    </SideNavigation>
  );
}
