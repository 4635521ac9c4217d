import { Outlet } from '@tanstack/react-router';
import { SideNavigation } from '../../ui/SideNavigation.tsx';
import { peoplePages } from './people-pages.ts';
import { useSiteRights } from './use-permissions.ts';

/** The frame of the pages about people and access. */
export function PeopleLayout(): React.JSX.Element {
  const { may } = useSiteRights();
  return (
    <SideNavigation label="People and access" pages={peoplePages(may)}>
      <Outlet />
    </SideNavigation>
  );
}
