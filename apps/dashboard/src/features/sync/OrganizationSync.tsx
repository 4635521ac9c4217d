import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isKind } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { NotForYou } from '../../ui/NotForYou.tsx';
import { groupTitle, isEveryone } from '../groups/group-words.ts';
import type { Organization } from '../organizations/organization-words.ts';
import { organizationTitle } from '../organizations/organization-words.ts';
import type { GroupDraft, RoleDraft } from './drafts.ts';
import { DryRun } from './DryRun.tsx';
import { GroupSyncForm } from './GroupSyncForm.tsx';
import { RoleSyncForm } from './RoleSyncForm.tsx';

interface Props {
  readonly organization: Organization;
  readonly mayChange: boolean;
}

/** How the claims of a sign-in become groups and roles of one organization. */
export function OrganizationSync({ organization, mayChange }: Props): React.JSX.Element {
  const [groupDraft, setGroupDraft] = useState<GroupDraft>();
  const [roleDraft, setRoleDraft] = useState<RoleDraft>();
  const here = { organization: organization.id };
  const groupSync = useQuery(trpc.idpSync.groups.queryOptions(here));
  const roleSync = useQuery(trpc.idpSync.roles.queryOptions(here));
  const fields = useQuery(trpc.idpSync.organizationFields.queryOptions(here, { retry: false }));
  const groups = useQuery(trpc.groups.listByOrganization.queryOptions(here));
  const roles = useQuery(trpc.roles.listOrganization.queryOptions(here));
  const error = groupSync.error ?? roleSync.error;
  if (error !== null && isKind(error, 'forbidden')) {
    return (
      <NotForYou title="The sync settings are not for your role">
        Administrators of the organization set how claims become its groups and roles.
      </NotForYou>
    );
  }
  if (error !== null) {
    return (
      <ErrorNotice
        error={error}
        title="The sync settings could not be loaded"
        onRetry={() => {
          void groupSync.refetch();
          void roleSync.refetch();
        }}
      />
    );
  }
  if (groupSync.data === undefined || roleSync.data === undefined) return <Skeleton height={320} radius="md" />;
  const seen = fields.data ?? [];
  const groupTargets = (groups.data ?? [])
    .filter((group) => !isEveryone(group))
    .map((group) => ({ value: group.id, label: groupTitle(group) }));
  const roleTargets = (roles.data ?? []).map((role) => ({ value: role.name, label: organizationTitle(role) }));
  return (
    <Stack>
      <GroupSyncForm
        key={JSON.stringify(groupSync.data)}
        organizationId={organization.id}
        settings={groupSync.data}
        targets={groupTargets}
        seen={seen}
        isReadOnly={!mayChange}
        onDraft={setGroupDraft}
      />
      <RoleSyncForm
        key={JSON.stringify(roleSync.data)}
        organizationId={organization.id}
        settings={roleSync.data}
        targets={roleTargets}
        seen={seen}
        isReadOnly={!mayChange}
        onDraft={setRoleDraft}
      />
      <DryRun
        organizationId={organization.id}
        drafts={{
          ...(groupDraft === undefined ? {} : { groups: { [organization.id]: groupDraft } }),
          ...(roleDraft === undefined ? {} : { roles: { [organization.id]: roleDraft } }),
        }}
      />
    </Stack>
  );
}
