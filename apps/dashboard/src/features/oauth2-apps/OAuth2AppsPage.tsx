import { Badge, Box, Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconApps, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { FormActions } from '../../ui/FormActions.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Page } from '../../ui/Page.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import classes from '../../ui/rows.module.css';
import { TableSkeleton } from '../../ui/TableSkeleton.tsx';
import { useSiteRights } from '../access/use-permissions.ts';
import { APP_FIELDS, APP_RULES } from './app-form.ts';
import type { AppValues } from './AppFields.tsx';
import { AppFields } from './AppFields.tsx';

const ROWS_MAX = 200;

/** The applications that may ask people of this server for access. */
export function OAuth2AppsPage(): React.JSX.Element {
  const apps = useQuery(trpc.oauth2Apps.list.queryOptions({}));
  const { may } = useSiteRights();
  const [isCreating, creation] = useDisclosure(false);
  const create = may.writeOAuth2Apps && (
    <Button leftSection={<IconPlus size={16} />} onClick={creation.open}>
      New app
    </Button>
  );
  return (
    <Page title="OAuth2 apps" subtitle="Programs that let people sign in with Berth, or act for them here." actions={create}>
      {apps.isError ? (
        <ErrorNotice error={apps.error} title="The apps could not be loaded" onRetry={() => void apps.refetch()} />
      ) : apps.data === undefined ? (
        <TableSkeleton label="Loading apps" rows={3} />
      ) : apps.data.length === 0 ? (
        <EmptyState icon={<IconApps size={24} />} title="No apps yet">
          Make one for each program that should send people here to sign in or to give it access.
        </EmptyState>
      ) : (
        <Box className="surface" style={{ overflow: 'hidden' }}>
          <Table verticalSpacing="sm" horizontalSpacing="md" aria-label="OAuth2 apps">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Kind</Table.Th>
                <Table.Th visibleFrom="sm">Comes back to</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {apps.data.slice(0, ROWS_MAX).map((app) => (
                <Table.Tr key={app.id} className={classes['row']}>
                  <Table.Td>
                    <Group gap="sm" wrap="nowrap">
                      <Picture src={app.icon} fallback={<IconApps size={20} aria-hidden />} />
                      <Link to="/admin/oauth2-apps/$app" params={{ app: app.id }} className={classes['link']}>
                        {app.name}
                      </Link>
                    </Group>
                  </Table.Td>
                  <Table.Td>
                    <Badge color={app.client_type === 'public' ? 'blue' : 'gray'}>
                      {app.client_type === 'public' ? 'Public' : 'Confidential'}
                    </Badge>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    <Text size="sm" className="wrap-anywhere">
                      {app.callback_url}
                    </Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
      <Modal opened={isCreating} onClose={creation.close} title="New OAuth2 app" closeButtonProps={{ 'aria-label': 'Close' }}>
        <CreateForm onClose={creation.close} />
      </Modal>
    </Page>
  );
}

function CreateForm({ onClose }: { onClose: () => void }): React.JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useForm<AppValues>({
    initialValues: { name: '', callback_url: '', icon: '', client_type: 'confidential' },
    validateInputOnBlur: true,
    validate: APP_RULES,
  });
  const create = useMutation(
    trpc.oauth2Apps.create.mutationOptions({
      onSuccess: async (app) => {
        notifyDone(`${app.name} is there.`);
        onClose();
        await queryClient.invalidateQueries(trpc.oauth2Apps.list.pathFilter());
        await navigate({ to: '/admin/oauth2-apps/$app', params: { app: app.id } });
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), APP_FIELDS).errors),
    }),
  );
  return (
    <form noValidate onSubmit={form.onSubmit((values) => create.mutate({ ...values, callback_url: values.callback_url.trim() }))}>
      <Stack>
        <Refusal error={create.error} fields={APP_FIELDS} />
        <AppFields form={form} />
        <FormActions submit="Create app" isPending={create.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
