import { Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { TemplateExample } from '@berth/api/contract/templates';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { isKind } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { notifyFailure } from '../../ui/notify.ts';
import { startersQuery } from './starters-query.ts';
import { TemplateIcon } from './TemplateIcon.tsx';

const ORGANIZATION = 'default';

/** The templates that ship with the server, each one click away from a first workspace. Nothing for callers who may not add templates. */
export function StarterTemplates({ except = [] }: { except?: readonly string[] }): React.JSX.Element | null {
  const examples = useQuery(startersQuery());
  if (examples.isError) {
    if (isKind(examples.error, 'forbidden') || isKind(examples.error, 'not_found')) {
      return <Text c="dimmed">Ask a template administrator to add a template.</Text>;
    }
    return <ErrorNotice error={examples.error} title="The starter templates could not be loaded" onRetry={() => void examples.refetch()} />;
  }
  const offered = examples.data?.filter(({ name }) => !except.includes(name)) ?? [];
  if (offered.length === 0) return null;
  return (
    <Stack gap="sm">
      <Title order={2}>Starter templates</Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {offered.map((example) => (
          <StarterCard key={example.id} example={example} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function StarterCard({ example }: { example: TemplateExample }): React.JSX.Element {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const install = useMutation(
    trpc.templates.installExample.mutationOptions({
      onSuccess: async (template) => {
        await queryClient.invalidateQueries(trpc.templates.list.pathFilter());
        await navigate({ to: '/workspaces/new', search: { template: template.id } });
      },
      onError: (error) => notifyFailure(`${example.name} could not be added`, error),
    }),
  );
  return (
    <Group className="surface" p="md" gap="sm" wrap="nowrap" align="flex-start">
      <TemplateIcon icon={example.icon} name={example.name} size={40} />
      <Stack gap="xs" style={{ flex: 1 }} miw={0}>
        <Text fw={600}>{example.name}</Text>
        <Text size="sm" c="dimmed">
          {example.description}
        </Text>
        {!example.available && <Text size="sm">{example.unavailable_reason}</Text>}
        <Group>
          {example.available && example.variables.length > 0 ? (
            // Its import needs values, which its form asks for.
            <ButtonLink size="xs" variant="light" to="/templates/new" search={{ example: example.id }}>
              Use {example.name}
            </ButtonLink>
          ) : (
            <Button
              size="xs"
              variant="light"
              disabled={!example.available}
              loading={install.isPending}
              onClick={() => install.mutate({ organization: ORGANIZATION, example_id: example.id })}
            >
              Use {example.name}
            </Button>
          )}
        </Group>
      </Stack>
    </Group>
  );
}
