import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { UnsavedGuard } from '../../ui/LeaveGuard.tsx';
import { Section } from '../account/Section.tsx';
import { RoleChecks } from '../roles/RoleChecks.tsx';
import { roleLock, rolesDiffer } from '../roles/role-lock.ts';
import type { AssignableRole } from '../roles/role-words.ts';
import { useUserChange } from './use-user-change.ts';
import { useIsMe, useUserRights } from './use-user-rights.ts';
import type { User } from './user-words.ts';

/** What an account may do on the whole site. */
export function SiteRoles({ user }: { user: User }): React.JSX.Element {
  const roles = useQuery(trpc.roles.listSite.queryOptions({}));
  return (
    <Section
      title="Site roles"
      description="They count everywhere, in every organization. Everybody has what a member has."
      actions={
        <AnchorLink size="sm" to="/people/roles">
          All site roles
        </AnchorLink>
      }
    >
      {roles.isError ? (
        <ErrorNotice error={roles.error} title="The roles could not be loaded" onRetry={() => void roles.refetch()} />
      ) : roles.data === undefined ? (
        <Skeleton height={160} />
      ) : (
        <SiteRolesForm key={user.roles.map(({ name }) => name).join()} user={user} roles={roles.data} />
      )}
    </Section>
  );
}

function SiteRolesForm({ user, roles }: { user: User; roles: readonly AssignableRole[] }): React.JSX.Element {
  const held = user.roles.map(({ name }) => name);
  const [value, setValue] = useState<readonly string[]>(held);
  const { may, isKnown } = useUserRights(user);
  const isMe = useIsMe(user);
  const show = useUserChange();
  const save = useMutation(
    trpc.users.updateRoles.mutationOptions({
      onSuccess: async (saved) => {
        await show(saved);
        notifyDone(`The roles of ${saved.username} are saved.`);
      },
    }),
  );
  const locked = roleLock({ isMe, mayAssign: isKnown ? may.assignRoles : undefined, roles });
  return (
    <Stack>
      <UnsavedGuard isDirty={rolesDiffer(value, held)} />
      <Refusal error={save.error} />
      <RoleChecks label="Site roles" roles={roles} value={value} onChange={setValue} lockedBecause={locked} />
      {locked === undefined && (
        <Group justify="flex-end">
          <Button
            disabled={!rolesDiffer(value, held)}
            loading={save.isPending}
            onClick={() => save.mutate({ user: user.id, roles: [...value] })}
          >
            Save roles
          </Button>
        </Group>
      )}
    </Stack>
  );
}
