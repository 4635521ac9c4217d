import { Alert, Anchor, Avatar, Box, Button, Group, List, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { AnchorLink, ButtonLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { LoadFailure } from '../../ui/NotFound.tsx';
import { Section } from '../account/Section.tsx';
import { webAddress } from '../oauth2/callback-host.ts';
import { DeviceLink } from './DeviceLink.tsx';
import { linkAddress } from './link-address.ts';
import { linkErrorAdvice } from './link-error.ts';
import { useUnlink } from './use-unlink.tsx';

type Service = Outputs['externalAuth']['get'];

/** One's account at one external service: to link it, to see that it works, to unlink it. Also where a link comes back to. */
export function ExternalAuthPage(): React.JSX.Element {
  const { id } = useParams({ from: '/session/shell/external-auth/$id' });
  const search = useSearch({ from: '/session/shell/external-auth/$id' });
  const service = useQuery(trpc.externalAuth.get.queryOptions({ externalauth: id }));
  const name = service.data === undefined || service.data.display_name === '' ? id : service.data.display_name;
  if (service.isError) {
    const back = <ButtonLink to="/account/external">Go to external accounts</ButtonLink>;
    return <LoadFailure error={service.error} kind="service" name={id} back={back} onRetry={() => void service.refetch()} />;
  }
  return (
    <Page title={name} subtitle={<AnchorLink to="/account/external">All external accounts</AnchorLink>}>
      <Stack maw={640}>
        {search.error !== undefined && service.data?.authenticated !== true && (
          <Alert color="red" icon={<IconAlertTriangle />} title="Your account was not linked" role="alert">
            {linkErrorAdvice(search.error)}
          </Alert>
        )}
        {search.redirected === true && service.data?.authenticated === true && (
          <Alert color="teal" icon={<IconCircleCheck />} title="Your account is linked" role="status">
            Whatever waited for it goes on by itself. You may close this page.
          </Alert>
        )}
        {service.data === undefined ? (
          <Skeleton height={180} radius="md" role="status" aria-label="Asking the service" />
        ) : service.data.authenticated ? (
          <Linked id={id} name={name} service={service.data} />
        ) : (
          <Section title={`Link your account at ${name}`} description={<Uses name={name} />}>
            {service.data.device ? (
              <DeviceLink id={id} name={name} />
            ) : (
              <Group>
                <Button component="a" href={linkAddress(id)}>
                  Link with {name}
                </Button>
              </Group>
            )}
          </Section>
        )}
      </Stack>
    </Page>
  );
}

function Uses({ name }: { name: string }): React.JSX.Element {
  return (
    <>
      Workspaces of yours then clone, pull and push at {name} as you, without asking for a password. Nobody else’s can, and you can unlink
      it at any time.
    </>
  );
}

function Linked({ id, name, service }: { id: string; name: string; service: Service }): React.JSX.Element {
  const unlink = useUnlink({ id, name });
  const { user, installations, app_installable, app_install_url } = service;
  const profile = user === null ? undefined : webAddress(user.profile_url);
  const install = app_installable ? webAddress(app_install_url) : undefined;
  return (
    <Section
      title="Linked"
      description={<Uses name={name} />}
      actions={
        <Button size="xs" variant="default" loading={unlink.isPending} onClick={unlink.ask}>
          Unlink…
        </Button>
      }
    >
      {user !== null && (
        <Group gap="sm" wrap="nowrap">
          <Avatar src={user.avatar_url === '' ? null : user.avatar_url} name={user.login} color="harbour" alt="" aria-hidden />
          <Box miw={0}>
            <Text size="sm" fw={600} className="wrap-anywhere">
              {user.name === '' ? user.login : user.name}
            </Text>
            <Text size="sm" c="dimmed" className="wrap-anywhere">
              {profile === undefined ? (
                user.login
              ) : (
                <Anchor href={profile} target="_blank" rel="noreferrer" inherit>
                  {user.login}
                </Anchor>
              )}
            </Text>
          </Box>
        </Group>
      )}
      {app_installable && (
        <Stack gap={6}>
          <Text size="sm" fw={600}>
            Repositories that it reaches
          </Text>
          {installations.length === 0 ? (
            <Text size="sm" c="dimmed">
              None yet: the app of this server is installed nowhere at {name}.
            </Text>
          ) : (
            <List size="sm">
              {installations.map((installation) => (
                <List.Item key={installation.id}>
                  <Installation login={installation.account.login} address={webAddress(installation.configure_url)} />
                </List.Item>
              ))}
            </List>
          )}
          {install !== undefined && (
            <Group>
              <Button component="a" href={install} target="_blank" rel="noreferrer" size="xs" variant="default">
                {installations.length === 0 ? 'Install the app' : 'Install it elsewhere'}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Section>
  );
}

function Installation({ login, address }: { login: string; address: string | undefined }): React.JSX.Element {
  if (address === undefined) return <>{login}</>;
  return (
    <Anchor href={address} target="_blank" rel="noreferrer" inherit>
      {login}
    </Anchor>
  );
}
