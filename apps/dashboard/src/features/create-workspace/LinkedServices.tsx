import { Alert, Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { ServiceIcon } from '../external-auth/ServiceIcon.tsx';

/** The external accounts that the template's workspaces use, with the way to link those that are missing. Nothing where it uses none. */
export function LinkedServices({ template }: { template: Template }): React.JSX.Element | null {
  // Linking happens in a tab of its own; whoever comes back from it sees what has changed.
  const services = useQuery(
    trpc.templateVersions.externalAuth.queryOptions(
      { templateversion: template.active_version_id },
      { staleTime: 0, refetchOnWindowFocus: true },
    ),
  );
  if (services.data === undefined || services.data.length === 0) return null;
  const isMissing = services.data.some(({ authenticated, optional }) => !authenticated && !optional);
  return (
    <Alert
      color={isMissing ? 'orange' : 'gray'}
      title={isMissing ? 'It needs an account of yours elsewhere' : 'It uses accounts of yours elsewhere'}
    >
      <Stack gap="xs">
        {isMissing && <Text size="sm">Link it first: without it, the workspace does not start.</Text>}
        {services.data.map((service) => {
          const name = service.display_name === '' ? service.id : service.display_name;
          return (
            <Group key={service.id} gap="sm">
              <ServiceIcon icon={service.display_icon} size={20} />
              <Text size="sm" fw={600}>
                {name}
              </Text>
              {service.authenticated ? (
                <Badge color="teal">linked</Badge>
              ) : (
                <>
                  <Badge color={service.optional ? 'gray' : 'orange'}>{service.optional ? 'optional' : 'not linked'}</Badge>
                  <Anchor size="sm" underline="always" href={`/external-auth/${encodeURIComponent(service.id)}`} target="_blank">
                    Link {name}
                  </Anchor>
                </>
              )}
            </Group>
          );
        })}
      </Stack>
    </Alert>
  );
}
