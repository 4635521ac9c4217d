import { Button, Code, Group, Skeleton, Table, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconApps } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { formErrors, problemOf } from '../../api/errors.ts';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { CopyValue } from '../../ui/CopyValue.tsx';
import { AnchorLink, ButtonLink } from '../../ui/links.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Page } from '../../ui/Page.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { TypedConfirm } from '../../ui/TypedConfirm.tsx';
import { LoadFailure } from '../../ui/NotFound.tsx';
import { useSiteRights } from '../access/use-permissions.ts';
import { Section } from '../account/Section.tsx';
import { SettingsForm } from '../account/SettingsForm.tsx';
import { APP_FIELDS, APP_RULES } from './app-form.ts';
import type { AppValues } from './AppFields.tsx';
import { AppFields } from './AppFields.tsx';
import { AppSecrets } from './AppSecrets.tsx';

type App = Outputs['oauth2Apps']['get'];

/** One application: how it finds us, how it proves itself, and what it is called. */
export function OAuth2AppPage(): React.JSX.Element {
  const { app: id } = useParams({ from: '/session/shell/admin/oauth2-apps/$app' });
  const app = useQuery(trpc.oauth2Apps.get.queryOptions({ app: id }));
  if (app.data !== undefined) return <LoadedApp app={app.data} />;
  if (app.isError) {
    const back = <ButtonLink to="/admin/oauth2-apps">Go to OAuth2 apps</ButtonLink>;
    return <LoadFailure error={app.error} kind="OAuth2 app" name={id} back={back} onRetry={() => void app.refetch()} />;
  }
  return (
    <Page title="OAuth2 app">
      <Skeleton height={320} radius="md" />
    </Page>
  );
}

function LoadedApp({ app }: { app: App }): React.JSX.Element {
  const { may } = useSiteRights();
  const [isDeleting, deletion] = useDisclosure(false);
  return (
    <Page
      title={app.name}
      icon={<Picture src={app.icon} size={32} fallback={<IconApps size={32} aria-hidden />} />}
      subtitle={
        <>
          One of the{' '}
          <AnchorLink inherit to="/admin/oauth2-apps">
            OAuth2 apps
          </AnchorLink>
          {' · '}
          <AnchorLink inherit to="/audit" search={{ q: `resource_id:${app.id}` }}>
            Audit log
          </AnchorLink>
        </>
      }
      actions={
        may.writeOAuth2Apps && (
          <Button color="red" variant="light" onClick={deletion.open}>
            Delete app…
          </Button>
        )
      }
    >
      <Section title="Addresses" description="What the program needs to be told about this server.">
        <Table aria-label="Addresses" variant="vertical" layout="fixed">
          <Table.Tbody>
            <Address name="Client id" value={app.id} />
            <Address name="Authorization" value={app.endpoints.authorization} />
            <Address name="Token" value={app.endpoints.token} />
            {app.endpoints.device_authorization !== '' && <Address name="Device" value={app.endpoints.device_authorization} />}
          </Table.Tbody>
        </Table>
      </Section>
      {may.writeOAuth2Apps && app.client_type === 'confidential' && <AppSecrets app={app} />}
      {may.writeOAuth2Apps && <AppSettings key={JSON.stringify(app)} app={app} />}
      <DeleteApp app={app} isOpen={isDeleting} onClose={deletion.close} />
    </Page>
  );
}

function Address({ name, value }: { name: string; value: string }): React.JSX.Element {
  return (
    <Table.Tr>
      <Table.Th scope="row" w={{ base: 104, sm: 160 }} fw={500}>
        {name}
      </Table.Th>
      <Table.Td>
        <Group gap={4} wrap="nowrap">
          <Code className="wrap-anywhere">{value}</Code>
          <CopyValue value={value} label={`Copy ${name.toLowerCase()}`} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function AppSettings({ app }: { app: App }): React.JSX.Element {
  const queryClient = useQueryClient();
  const form = useForm<AppValues>({
    initialValues: { name: app.name, callback_url: app.callback_url, icon: app.icon, client_type: app.client_type },
    validateInputOnBlur: true,
    validate: APP_RULES,
  });
  const save = useMutation(
    trpc.oauth2Apps.update.mutationOptions({
      onSuccess: async (saved) => {
        queryClient.setQueryData(trpc.oauth2Apps.get.queryKey({ app: saved.id }), saved);
        notifyDone('The app is saved.');
        await queryClient.invalidateQueries(trpc.oauth2Apps.list.pathFilter());
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), APP_FIELDS).errors),
    }),
  );
  return (
    <SettingsForm
      title="Settings"
      error={save.error}
      fields={APP_FIELDS}
      isDirty={form.isDirty()}
      isPending={save.isPending}
      onSubmit={form.onSubmit((values) => save.mutate({ app: app.id, ...values, callback_url: values.callback_url.trim() }))}
    >
      <AppFields form={form} />
    </SettingsForm>
  );
}

function DeleteApp({ app, isOpen, onClose }: { app: App; isOpen: boolean; onClose: () => void }): React.JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation(
    trpc.oauth2Apps.delete.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${app.name} is deleted.`);
        await navigate({ to: '/admin/oauth2-apps', ignoreBlocker: true });
        await queryClient.invalidateQueries(trpc.oauth2Apps.list.pathFilter());
      },
    }),
  );
  return (
    <TypedConfirm
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${app.name}`}
      name={app.name}
      action="Delete app"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ app: app.id })}
    >
      <Text size="sm">Its secrets and every token that people gave it stop working at once. This cannot be undone.</Text>
    </TypedConfirm>
  );
}
