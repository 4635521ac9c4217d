import { ActionIcon, Badge, Box, Button, Group, Skeleton, Table, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { TypedConfirm } from '../../ui/TypedConfirm.tsx';
import { When } from '../../ui/When.tsx';
import { Section } from '../account/Section.tsx';
import type { Organization } from '../organizations/organization-words.ts';
import { tagsText } from '../template-versions/version-words.ts';
import { CreateProvisionerKey } from './CreateProvisionerKey.tsx';
import type { ProvisionerKey } from './provisioner-words.ts';

interface Props {
  readonly organization: Organization;
  readonly mayCreate: boolean;
  readonly mayDelete: boolean;
}

/** What lets daemons on other hosts work for an organization. */
export function ProvisionerKeys({ organization, mayCreate, mayDelete }: Props): React.JSX.Element {
  const keys = useQuery(trpc.provisionerKeys.listDaemons.queryOptions({ organization: organization.id }, { staleTime: 0 }));
  const [isCreating, creation] = useDisclosure(false);
  const [deleted, setDeleted] = useState<ProvisionerKey>();
  return (
    <Section
      title="Keys"
      description="A daemon on another host shows one when it comes, and takes its tags from it."
      actions={
        mayCreate && (
          <Button size="xs" variant="default" onClick={creation.open}>
            New key
          </Button>
        )
      }
    >
      {keys.isError ? (
        <ErrorNotice error={keys.error} title="The keys could not be loaded" onRetry={() => void keys.refetch()} />
      ) : keys.data === undefined ? (
        <Skeleton height={80} />
      ) : keys.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          No keys yet: only the server’s own provisioner works here.
        </Text>
      ) : (
        <Box mx="calc(-1 * var(--mantine-spacing-lg))" style={{ overflow: 'hidden' }}>
          <Table horizontalSpacing="lg" verticalSpacing="sm" aria-label="Provisioner keys">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th visibleFrom="sm">Tags</Table.Th>
                <Table.Th>Connected daemons</Table.Th>
                <Table.Th visibleFrom="sm">Created</Table.Th>
                {mayDelete && (
                  <Table.Th w={60} ta="right">
                    Delete
                  </Table.Th>
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {keys.data.map(({ key, daemons }) => (
                <Table.Tr key={key.id}>
                  <Table.Td>
                    <Group gap={6}>
                      <Text size="sm" fw={600} className="wrap-anywhere">
                        {key.name}
                      </Text>
                      {isBuiltIn(key) && <Badge color="gray">Built-in</Badge>}
                    </Group>
                  </Table.Td>
                  <Table.Td visibleFrom="sm" className="wrap-anywhere">
                    {tagsText(key.tags)}
                  </Table.Td>
                  <Table.Td className="tabular">{daemons.length}</Table.Td>
                  <Table.Td visibleFrom="sm">{!isBuiltIn(key) && <When at={key.created_at} />}</Table.Td>
                  {mayDelete && (
                    <Table.Td ta="right">
                      {!isBuiltIn(key) && (
                        <Tooltip label={`Delete ${key.name}`}>
                          <ActionIcon variant="subtle" color="red" aria-label={`Delete ${key.name}`} onClick={() => setDeleted(key)}>
                            <IconTrash size={16} />
                          </ActionIcon>
                        </Tooltip>
                      )}
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
      <CreateProvisionerKey organization={organization} isOpen={isCreating} onClose={creation.close} />
      {deleted !== undefined && <DeleteKey organization={organization} provisionerKey={deleted} onClose={() => setDeleted(undefined)} />}
    </Section>
  );
}

/** Those of the server itself have fixed ids and cannot be deleted. */
function isBuiltIn({ id }: ProvisionerKey): boolean {
  return id.startsWith('00000000-0000-0000-0000-');
}

interface DeleteProps {
  readonly organization: Organization;
  readonly provisionerKey: ProvisionerKey;
  readonly onClose: () => void;
}

function DeleteKey({ organization, provisionerKey, onClose }: DeleteProps): React.JSX.Element {
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.provisionerKeys.delete.mutationOptions({
      onSuccess: async () => {
        onClose();
        notifyDone(`The key ${provisionerKey.name} is deleted.`);
        await Promise.all([
          queryClient.invalidateQueries(trpc.provisionerKeys.pathFilter()),
          queryClient.invalidateQueries(trpc.provisionerDaemons.pathFilter()),
        ]);
      },
    }),
  );
  return (
    <TypedConfirm
      isOpen
      onClose={onClose}
      title={`Delete the key ${provisionerKey.name}`}
      name={provisionerKey.name}
      action="Delete key"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ organization: organization.id, provisionerkey: provisionerKey.name })}
    >
      <Text size="sm">Daemons with this key can do nothing more. What they work on is queued again.</Text>
    </TypedConfirm>
  );
}
