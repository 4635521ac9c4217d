import { counted } from '@berth/core';
import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { IconPlug } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { CopyValue } from '../../ui/CopyValue.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { TableSkeleton } from '../../ui/TableSkeleton.tsx';
import { Section } from '../account/Section.tsx';
import { ServiceIcon } from '../external-auth/ServiceIcon.tsx';

type Service = Outputs['deployment']['config']['config']['external_auth']['value'][number];
type Setup = Outputs['externalAuth']['setup'][number];

const EXAMPLE = `external_auth:
  - id: github
    type: github
    client_id: Iv1.0000
    client_secret: \${GITHUB_SECRET}`;

/** The services whose accounts people may link, as they are set up. */
export function ExternalAuthSetupPage(): React.JSX.Element {
  const config = useQuery(trpc.deployment.config.queryOptions({}));
  const setup = useQuery(trpc.externalAuth.setup.queryOptions({}));
  const error = config.error ?? setup.error;
  const services = config.data?.config.external_auth.value;
  const address = config.data?.config.access_url;
  const accessUrl = address === undefined ? location.origin : `${address.scheme}://${address.host}${address.path}`;
  return (
    <Page
      title="External auth"
      subtitle="Services, such as git hosts, whose accounts people link so that their workspaces can use them. They are set up in the settings file."
    >
      {error !== null ? (
        <ErrorNotice
          error={error}
          title="The services could not be loaded"
          onRetry={() => {
            void config.refetch();
            void setup.refetch();
          }}
        />
      ) : services === undefined || setup.data === undefined ? (
        <TableSkeleton label="Loading services" rows={2} />
      ) : services.length === 0 ? (
        <EmptyState icon={<IconPlug size={24} />} title="No services are set up">
          Name them in the file of <SettingLink option="BERTH_CONFIG_FILE" />, and restart the server.
        </EmptyState>
      ) : (
        services.map((service) => (
          <ServiceSection key={service.id} service={service} setup={setup.data.find(({ id }) => id === service.id)} />
        ))
      )}
      <Section
        title="Another service"
        description={
          <>
            Make an OAuth app at the service, with the redirect address below and its id in place of <Code>github</Code>. Then add it to the
            file of <SettingLink option="BERTH_CONFIG_FILE" />, and restart the server.
          </>
        }
      >
        <Code block aria-label="Example">
          {EXAMPLE}
        </Code>
        <Copied value={`${accessUrl}/external-auth/github/callback`} label="Copy the example of a redirect address" />
      </Section>
    </Page>
  );
}

function ServiceSection({ service, setup }: { service: Service; setup: Setup | undefined }): React.JSX.Element {
  const { links = 0, broken_links: broken = 0, redirect_url: redirect = '' } = setup ?? {};
  return (
    <Section
      title={service.display_name}
      description={
        <Group gap={6}>
          <Code>{service.id}</Code>
          {service.device_flow && <Badge color="blue">By device code</Badge>}
          {service.no_refresh && <Badge color="gray">No refresh</Badge>}
        </Group>
      }
      actions={<ServiceIcon icon={service.display_icon} size={28} />}
    >
      <Stack gap="md">
        <Facts
          facts={[
            ['Kind', service.type],
            ['Scopes', service.scopes.length === 0 ? 'those that the service gives by itself' : service.scopes.join(' ')],
            ['Linked accounts', broken === 0 ? String(links) : `${links}; ${counted(broken, 'needs', 'need')} to be linked again`],
            ['Client', service.client_id],
            ['For git addresses like', service.regex === '' ? 'none' : <Code className="wrap-anywhere">{service.regex}</Code>],
            ['Tokens from', service.token_url],
          ]}
        />
        {redirect !== '' && !service.device_flow && (
          <div>
            <Text size="xs" c="dimmed">
              Redirect address, as the service has to know it
            </Text>
            <Copied value={redirect} label={`Copy the redirect address of ${service.display_name}`} />
          </div>
        )}
      </Stack>
    </Section>
  );
}

function Copied({ value, label }: { value: string; label: string }): React.JSX.Element {
  return (
    <Group gap={4} wrap="nowrap">
      <Code className="wrap-anywhere">{value}</Code>
      <CopyValue value={value} label={label} />
    </Group>
  );
}

function SettingLink({ option }: { option: string }): React.JSX.Element {
  return (
    <AnchorLink to="/admin/settings" search={{ option }} inherit underline="always">
      {option}
    </AnchorLink>
  );
}
