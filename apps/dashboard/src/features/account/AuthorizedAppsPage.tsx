import { Button, Group, List, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconApps } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { Page } from '../../ui/Page.tsx';
import { TableSkeleton } from '../../ui/TableSkeleton.tsx';
import { When } from '../../ui/When.tsx';
import { TemplateIcon } from '../templates/TemplateIcon.tsx';

type Grant = Outputs['oauth2']['grants'][number];

/** The applications that act for oneself. */
export function AuthorizedAppsPage(): React.JSX.Element {
  const grants = useQuery(trpc.oauth2.grants.queryOptions({}));
  return (
    <Page title="Authorized apps" subtitle="Applications that you allowed to act for you here.">
      {grants.isError ? (
        <ErrorNotice error={grants.error} title="The applications could not be loaded" onRetry={() => void grants.refetch()} />
      ) : grants.data === undefined ? (
        <TableSkeleton label="Loading applications" rows={2} />
      ) : grants.data.length === 0 ? (
        <EmptyState icon={<IconApps size={24} />} title="No application acts for you">
          When one asks for access, you decide on a page of this server, and find it here afterwards.
        </EmptyState>
      ) : (
        <Stack component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Authorized apps">
          {grants.data.map((grant) => (
            <GrantCard key={grant.app.id} grant={grant} />
          ))}
        </Stack>
      )}
    </Page>
  );
}

function GrantCard({ grant: { app, scopes, created_at, last_used_at, expires_at } }: { grant: Grant }): React.JSX.Element {
  const queryClient = useQueryClient();
  const revoke = useMutation(
    trpc.oauth2.revokeApp.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${app.name} no longer acts for you.`);
        await Promise.all([
          queryClient.invalidateQueries(trpc.oauth2.pathFilter()),
          queryClient.invalidateQueries(trpc.tokens.pathFilter()),
        ]);
      },
      onError: (error) => notifyFailure(`${app.name} still has access`, error),
    }),
  );
  const confirm = (): void => {
    modals.openConfirmModal({
      title: `Revoke the access of ${app.name}?`,
      children: <Text size="sm">It is refused from now on. When you use it again, it asks you again.</Text>,
      labels: { confirm: 'Revoke access', cancel: 'Keep it' },
      confirmProps: { color: 'red.8' },
      onConfirm: () => revoke.mutate({ client_id: app.id }),
    });
  };
  return (
    <Group component="li" className="surface" p="md" gap="md" align="flex-start">
      <TemplateIcon icon={app.icon} name={app.name} size={40} />
      <Stack gap={6} miw={0} flex="1 1 180px">
        <Text fw={600} className="wrap-anywhere">
          {app.name}
        </Text>
        <List size="sm" spacing={2}>
          {scopes.map(({ name, description }) => (
            <List.Item key={name}>{description}</List.Item>
          ))}
        </List>
        <Text size="xs" c="dimmed">
          Allowed <When at={created_at} /> · last used <When at={last_used_at} /> · ends <When at={expires_at} /> unless used
        </Text>
      </Stack>
      <Button size="xs" variant="default" loading={revoke.isPending} onClick={confirm} aria-label={`Revoke the access of ${app.name}`}>
        Revoke…
      </Button>
    </Group>
  );
}
