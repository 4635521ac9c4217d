import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { ask, PERMISSIONS_KEY, usePermissions } from '../access/use-permissions.ts';
import { RoleChecks } from '../roles/RoleChecks.tsx';
import { roleLock, rolesDiffer } from '../roles/role-lock.ts';
import type { AssignableRole } from '../roles/role-words.ts';
import { useIsMe } from '../users/use-user-rights.ts';
import type { Organization } from './organization-words.ts';
import { organizationTitle } from './organization-words.ts';

interface Member {
  readonly user_id: string;
  readonly username: string;
  readonly roles: readonly string[];
}

interface Props {
  readonly member: Member;
  readonly organization: Organization;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Gives and takes the roles of a member in one organization. */
export function MemberRoles({ member, organization, isOpen, onClose }: Props): React.JSX.Element {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={`Roles of ${member.username} in ${organizationTitle(organization)}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <LoadedRoles member={member} organization={organization} onClose={onClose} />
    </Modal>
  );
}

function LoadedRoles(props: Omit<Props, 'isOpen'>): React.JSX.Element {
  const roles = useQuery(trpc.roles.listOrganization.queryOptions({ organization: props.organization.id }));
  if (roles.isError) return <ErrorNotice error={roles.error} title="The roles could not be loaded" onRetry={() => void roles.refetch()} />;
  if (roles.data === undefined) return <Skeleton height={180} />;
  return <RolesForm {...props} roles={roles.data} />;
}

function RolesForm({
  member,
  organization,
  roles,
  onClose,
}: Omit<Props, 'isOpen'> & { roles: readonly AssignableRole[] }): React.JSX.Element {
  const queryClient = useQueryClient();
  const [value, setValue] = useState<readonly string[]>(member.roles);
  const isMe = useIsMe({ id: member.user_id });
  const { may, isKnown } = usePermissions({ assign: ask('assign_org_role:assign', { organization_id: organization.id }) });
  const save = useMutation(
    trpc.members.updateRoles.mutationOptions({
      onSuccess: async () => {
        notifyDone(`The roles of ${member.username} are saved.`);
        onClose();
        await Promise.all([
          queryClient.invalidateQueries(trpc.members.pathFilter()),
          queryClient.invalidateQueries(trpc.users.roles.pathFilter()),
          queryClient.invalidateQueries({ queryKey: PERMISSIONS_KEY }),
        ]);
      },
    }),
  );
  const locked = roleLock({ isMe, mayAssign: isKnown ? may.assign : undefined, roles });
  return (
    <Stack>
      <Refusal error={save.error} />
      <Text size="sm" c="dimmed">
        Every member may see the organization and use the templates that are shared with them.
      </Text>
      <RoleChecks label="Roles" roles={roles} value={value} onChange={setValue} lockedBecause={locked} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {locked === undefined ? 'Cancel' : 'Close'}
        </Button>
        {locked === undefined && (
          <Button
            disabled={!rolesDiffer(value, member.roles)}
            loading={save.isPending}
            onClick={() => save.mutate({ organization: organization.id, user: member.user_id, roles: [...value] })}
          >
            Save roles
          </Button>
        )}
      </Group>
    </Stack>
  );
}
