import { Progress, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { AnchorLink } from '../../ui/links.tsx';
import type { QuotaExplanation } from './quota-words.ts';
import { quotaSentence } from './quota-words.ts';

interface Props {
  readonly quota: QuotaExplanation;
  /** Whose it is: their workspaces are linked. */
  readonly owner: string;
}

/** A quota with where it comes from and what uses it. */
export function QuotaDerivation({ quota, owner }: Props): React.JSX.Element {
  const { credits_consumed: used, budget } = quota;
  return (
    <Stack gap="sm">
      <Text size="sm">{quotaSentence(quota)}</Text>
      <Progress
        value={budget === 0 ? (used === 0 ? 0 : 100) : Math.min(100, (used / budget) * 100)}
        color={used > budget ? 'red' : 'harbour'}
        aria-label="Credits in use"
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Sums
          title="Allowed by groups"
          rows={quota.groups.map((group) => [group.id, group.display_name === '' ? group.name : group.display_name, group.quota_allowance])}
          empty="No group allows anything."
        />
        <Sums
          title="Used by workspaces"
          rows={quota.workspaces.map((workspace) => [
            workspace.id,
            <AnchorLink key="link" inherit to="/@{$owner}/$name" params={{ owner, name: workspace.name }}>
              {workspace.name}
            </AnchorLink>,
            workspace.daily_cost,
          ])}
          empty="No workspace costs anything."
        />
      </SimpleGrid>
    </Stack>
  );
}

interface SumsProps {
  readonly title: string;
  readonly rows: readonly (readonly [key: string, name: React.ReactNode, credits: number])[];
  readonly empty: string;
}

function Sums({ title, rows, empty }: SumsProps): React.JSX.Element {
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        <Table aria-label={title} verticalSpacing={4} horizontalSpacing={0}>
          <Table.Tbody>
            {rows.map(([key, name, credits]) => (
              <Table.Tr key={key}>
                <Table.Td className="wrap-anywhere">{name}</Table.Td>
                <Table.Td ta="right" className="tabular">
                  {credits.toLocaleString('en')}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </div>
  );
}
