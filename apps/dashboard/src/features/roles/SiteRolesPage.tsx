import { Page } from '../../ui/Page.tsx';
import { NewSiteRole, SiteRoleList } from './RoleList.tsx';

/** The roles that count everywhere. */
export function SiteRolesPage(): React.JSX.Element {
  return (
    <Page
      title="Site roles"
      subtitle="They count everywhere, in every organization. Organizations have roles of their own, which count only there."
      actions={<NewSiteRole />}
    >
      <SiteRoleList />
    </Page>
  );
}
