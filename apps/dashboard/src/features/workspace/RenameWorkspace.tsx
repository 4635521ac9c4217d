import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { nameProblem } from '@berth/domain';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { Section } from '../account/Section.tsx';
import { refreshLists } from '../workspaces/workspace-cache.ts';

/** Gives a workspace another name, where this server lets it. */
export function RenameWorkspace({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const [name, setName] = useState(workspace.name);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const rename = useMutation(
    trpc.workspaces.update.mutationOptions({
      onSuccess: async () => {
        const renamed = { ...workspace, name };
        queryClient.setQueryData(trpc.workspaces.getByOwnerAndName.queryKey({ user: workspace.owner_name, workspacename: name }), renamed);
        await navigate({
          to: '/@{$owner}/$name',
          params: { owner: workspace.owner_name, name },
          search: { tab: 'settings' },
          replace: true,
        });
        notifyDone(`It is called ${name} now.`);
        await refreshLists();
      },
    }),
  );
  const rule = nameProblem('name', name);
  const refused = rename.isError ? formErrors(problemOf(rename.error), ['name']).errors['name'] : undefined;
  return (
    <Section title="Name">
      {!workspace.allow_renames ? (
        <Text size="sm" c="dimmed">
          Workspaces cannot be renamed on this server: their names stand in addresses and in templates.
        </Text>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (rule === null) rename.mutate({ workspace: workspace.id, name });
          }}
        >
          <Stack maw={480}>
            <Refusal error={rename.error} fields={['name']} />
            <TextInput
              label="Name"
              description="Addresses with the old name end."
              value={name}
              error={rule ?? refused}
              required
              onChange={(event) => {
                setName(event.currentTarget.value);
                rename.reset();
              }}
            />
            <Group>
              <Button type="submit" disabled={name === workspace.name || rule !== null} loading={rename.isPending}>
                Rename
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Section>
  );
}
