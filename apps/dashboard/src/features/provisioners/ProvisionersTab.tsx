import { Stack } from '@mantine/core';
import type { Organization } from '../organizations/organization-words.ts';
import { useOrganizationRights } from '../organizations/use-organization-rights.ts';
import { Daemons } from './Daemons.tsx';
import { ProvisionerKeys } from './ProvisionerKeys.tsx';

/** What imports the templates of an organization and builds its workspaces. */
export function ProvisionersTab({ organization }: { organization: Organization }): React.JSX.Element {
  const { may } = useOrganizationRights(organization);
  return (
    <Stack>
      <Daemons organization={organization} />
      <ProvisionerKeys organization={organization} mayCreate={may.createKeys} mayDelete={may.deleteKeys} />
    </Stack>
  );
}
