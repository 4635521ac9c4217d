import { Badge, Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlug } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink, ButtonLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { TableSkeleton } from '../../ui/TableSkeleton.tsx';
import { When } from '../../ui/When.tsx';
import { linkAddress } from './link-address.ts';
import { ServiceIcon } from './ServiceIcon.tsx';
import { useUnlink } from './use-unlink.tsx';

type Links = Outputs['externalAuth']['list'];
type Service = Links['providers'][number];
type AccountLink = Links['links'][number];

/** One's accounts at the external services that this server knows. */
export function ExternalAccountsPage(): React.JSX.Element {
  const accounts = useQuery(trpc.externalAuth.list.queryOptions({}));
  return (
    <Page title="External accounts" subtitle="Accounts elsewhere, such as at a git host, that your workspaces may use as you.">
      {accounts.isError ? (
        <ErrorNotice error={accounts.error} title="The accounts could not be loaded" onRetry={() => void accounts.refetch()} />
      ) : accounts.data === undefined ? (
        <TableSkeleton label="Asking the services" rows={2} />
      ) : accounts.data.providers.length === 0 ? (
        <EmptyState icon={<IconPlug size={24} />} title="No services are set up">
          Whoever runs this server can add git hosts and others in its settings. Until then, git in your workspaces can use your SSH key.
        </EmptyState>
      ) : (
        <Stack component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label="External accounts">
          {accounts.data.providers.map((service) => (
            <ServiceRow
              key={service.id}
              service={service}
              link={accounts.data.links.find(({ provider_id }) => provider_id === service.id)}
            />
          ))}
        </Stack>
      )}
    </Page>
  );
}

function ServiceRow({ service, link }: { service: Service; link: AccountLink | undefined }): React.JSX.Element {
  const name = service.display_name === '' ? service.id : service.display_name;
  const unlink = useUnlink({ id: service.id, name });
  const isWorking = link?.authenticated === true;
  return (
    <Group component="li" className="surface" p="md" gap="md">
      <ServiceIcon icon={service.display_icon} size={32} />
      <Box miw={0} flex="1 1 180px">
        <Group gap="xs">
          <AnchorLink to="/external-auth/$id" params={{ id: service.id }} fw={600} className="wrap-anywhere">
            {name}
          </AnchorLink>
          {link !== undefined && <Badge color={isWorking ? 'teal' : 'orange'}>{isWorking ? 'linked' : 'not working'}</Badge>}
        </Group>
        <Text size="xs" c="dimmed" className="wrap-anywhere">
          {link === undefined ? (
            'Not linked.'
          ) : isWorking ? (
            <>
              Linked <When at={link.created_at} />
              {link.expires !== null && !link.has_refresh_token && (
                <>
                  {' '}
                  · ends <When at={link.expires} />
                </>
              )}
            </>
          ) : (
            `${link.validate_error === '' ? 'The service no longer accepts it.' : link.validate_error} Link it again.`
          )}
        </Text>
      </Box>
      <Group gap="xs">
        {link !== undefined && (
          <Button size="xs" variant="default" loading={unlink.isPending} onClick={unlink.ask} aria-label={`Unlink ${name}`}>
            Unlink…
          </Button>
        )}
        {!isWorking &&
          (service.device ? (
            <ButtonLink size="xs" to="/external-auth/$id" params={{ id: service.id }} aria-label={`Link ${name}`}>
              Link
            </ButtonLink>
          ) : (
            <Button size="xs" component="a" href={linkAddress(service.id, '/account/external')} aria-label={`Link ${name}`}>
              Link
            </Button>
          ))}
      </Group>
    </Group>
  );
}
