import { Alert, Badge, Box, Group, Stack, Table, Text, Title, VisuallyHidden } from '@mantine/core';
import type { Outputs } from '../../api/trpc.ts';
import { When } from '../../ui/When.tsx';
import { organizationTitle } from '../organizations/organization-words.ts';
import { CHANGE_LOOKS, KIND_WORDS, OUTCOME_LOOKS, partSentence } from './sync-words.ts';

type Result = Outputs['idpSync']['dryRun'];

interface Part {
  readonly status: Result['organizations']['status'];
  readonly field: string;
  readonly problem: string;
  readonly items: readonly Item[];
}

interface Item {
  readonly name: string;
  readonly change: Result['organizations']['items'][number]['change'];
}

const ROWS_MAX = 200;

/** What the tried claims would give, then the reason for each. */
export function DryRunResult({ result, isOrganization }: { result: Result; isOrganization: boolean }): React.JSX.Element {
  const named = <T extends { name: string; display_name: string; change: Item['change'] }>(items: readonly T[]): Item[] =>
    items.map((item) => ({ name: organizationTitle(item), change: item.change }));
  return (
    <Stack data-testid="dry-run" aria-live="polite">
      {result.claims_from !== null && (
        <Text size="sm" c="dimmed">
          Claims of the sign-in <When at={result.claims_from} />.
        </Text>
      )}
      {isOrganization && result.groups.length === 0 && result.organization_roles.length === 0 && (
        <Text size="sm">Nothing here: this sign-in does not make them a member of the organization. Choose somebody who is one.</Text>
      )}
      {!isOrganization && (
        <PartResult
          title="Organizations"
          part={{ ...result.organizations, items: named(result.organizations.items) }}
          noun="organizations"
        />
      )}
      {result.groups.map((part) => (
        <PartResult key={part.organization_id} title={`Groups in ${part.organization_name}`} part={part} noun="groups" />
      ))}
      {result.organization_roles.map((part) => (
        <PartResult
          key={part.organization_id}
          title={`Roles in ${part.organization_name}`}
          part={{ ...part, items: named(part.items) }}
          noun="roles"
        />
      ))}
      {!isOrganization && (
        <PartResult title="Site roles" part={{ ...result.site_roles, items: named(result.site_roles.items) }} noun="roles" />
      )}
      <Trace trace={result.trace} />
    </Stack>
  );
}

function PartResult({ title, part, noun }: { title: string; part: Part; noun: string }): React.JSX.Element {
  return (
    <Box>
      <Title order={3} size="h4">
        {title}
      </Title>
      {part.status === 'failed' ? (
        <Alert color="red" mt={4}>
          {part.problem} Everything stays as it is.
        </Alert>
      ) : (
        <Text size="sm" c="dimmed">
          {partSentence(part, noun)}
        </Text>
      )}
      {part.items.length > 0 && (
        <Group gap={6} mt={6}>
          {part.items.map((item) => (
            <Badge key={item.name} color={CHANGE_LOOKS[item.change].color} td={item.change === 'remove' ? 'line-through' : undefined}>
              {CHANGE_LOOKS[item.change].sign}
              {item.name}
              <VisuallyHidden component="span">, {CHANGE_LOOKS[item.change].words}</VisuallyHidden>
            </Badge>
          ))}
        </Group>
      )}
    </Box>
  );
}

function Trace({ trace }: { trace: Result['trace'] }): React.JSX.Element | null {
  if (trace.length === 0) return null;
  return (
    <Box>
      <Title order={3} size="h4" mb={4}>
        Why
      </Title>
      <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': 'Reasons' } }}>
        <Table aria-label="Reasons" verticalSpacing="xs" fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Value</Table.Th>
              <Table.Th>Gives</Table.Th>
              <Table.Th>Because</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {trace.slice(0, ROWS_MAX).map((line, index) => (
              <Table.Tr key={index}>
                <Table.Td className="wrap-anywhere">{line.value === '' ? '—' : line.value}</Table.Td>
                <Table.Td>
                  <Group gap={6}>
                    <Badge color={OUTCOME_LOOKS[line.outcome].color}>{OUTCOME_LOOKS[line.outcome].label}</Badge>
                    <Text size="sm" className="wrap-anywhere">
                      {KIND_WORDS[line.kind]} {line.target_name}
                    </Text>
                  </Group>
                </Table.Td>
                <Table.Td>{line.reason}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Box>
  );
}
