import { Alert, Badge, Group, List, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Outputs } from '../../api/trpc.ts';
import { client } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { Section } from '../account/Section.tsx';
import { organizationTitle } from '../organizations/organization-words.ts';
import { PERMISSIONS_KEY } from './use-permissions.ts';
import type { Question } from './question.ts';

type Explanation = Outputs['authorization']['explain'];
type Reason = Explanation['reasons'][number];

/** Yes or no, and each thing that says so. */
export function Answer({ question, username }: { question: Question; username: string }): React.JSX.Element {
  const answer = useQuery({
    queryKey: [...PERMISSIONS_KEY, 'explain', question],
    queryFn: ({ signal }) => client.authorization.explain.mutate(question, { signal }),
    staleTime: 0,
  });
  if (answer.isError) {
    return <ErrorNotice error={answer.error} title="The question could not be answered" onRetry={() => void answer.refetch()} />;
  }
  if (answer.data === undefined) return <Skeleton height={160} radius="md" />;
  const { allowed, sentence, reasons, granting_roles: roles } = answer.data;
  return (
    <Section title={allowed ? 'Yes' : 'No'}>
      <Stack aria-live="polite">
        <Alert
          color={allowed ? 'green' : 'red'}
          icon={allowed ? <IconCheck aria-hidden /> : <IconX aria-hidden />}
          title={sentence}
          data-testid="answer"
        />
        {reasons.length > 0 && (
          <List spacing="sm" center={false} listStyleType="none" aria-label="Reasons">
            {reasons.map((reason) => (
              <List.Item key={`${reason.kind}:${reason.sentence}`} icon={<Effect effect={reason.effect} />}>
                <Text size="sm">{reason.sentence}</Text>
                <Links reason={reason} />
              </List.Item>
            ))}
          </List>
        )}
        {!allowed && roles.length > 0 && (
          <Group gap="xs">
            <Text size="sm">Any of these roles would allow it:</Text>
            {roles.map((role) => (
              <Badge key={`${role.organization_id}:${role.name}`}>{organizationTitle(role)}</Badge>
            ))}
          </Group>
        )}
        <Group gap="md">
          <AnchorLink size="sm" to="/people/users/$user" params={{ user: username }} search={{ tab: 'access' }}>
            Roles and groups of {username}
          </AnchorLink>
        </Group>
      </Stack>
    </Section>
  );
}

function Effect({ effect }: { effect: Reason['effect'] }): React.JSX.Element {
  const grants = effect === 'grants';
  return (
    <ThemeIcon size={20} radius="xl" variant="light" color={grants ? 'green' : 'red'} aria-label={grants ? 'Grants' : 'Refuses'} role="img">
      {grants ? <IconCheck size={12} stroke={3} aria-hidden /> : <IconX size={12} stroke={3} aria-hidden />}
    </ThemeIcon>
  );
}

function Links({ reason: { organization, group } }: { reason: Reason }): React.JSX.Element | null {
  if (organization === null) return null;
  if (group === null) {
    return (
      <AnchorLink size="xs" to="/people/organizations/$organization" params={{ organization: organization.name }}>
        {organizationTitle(organization)}
      </AnchorLink>
    );
  }
  return (
    <AnchorLink
      size="xs"
      to="/people/organizations/$organization/groups/$group"
      params={{ organization: organization.name, group: group.name }}
    >
      {organizationTitle(organization)} / {organizationTitle(group)}
    </AnchorLink>
  );
}
