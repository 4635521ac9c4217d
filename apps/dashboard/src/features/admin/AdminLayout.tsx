import { Outlet } from '@tanstack/react-router';
import { SideNavigation } from '../../ui/SideNavigation.tsx';
import { useSiteRights } from '../access/use-permissions.ts';
import { adminPages } from './admin-pages.ts';

/** The frame of the pages about the deployment itself. */
export function AdminLayout(): React.JSX.Element {
  const { may } = useSiteRights();
  return (
    <SideNavigation label="Administration" pages={adminPages(may)}>
      <Outlet />
    </SideNavigation>
  );
}
