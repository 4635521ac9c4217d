import { Badge, Box, Group, ScrollArea, Skeleton, Table, Text } from '@mantine/core';
import type { BulkItem, BulkPhase } from './bulk-progress.ts';
import { phaseOf, phaseWords } from './bulk-progress.ts';
import type { BulkAction } from './bulk-words.ts';

const LOOKS = {
  checking: { color: 'gray', label: '' },
  will: { color: 'green', label: 'Yes' },
  skipped: { color: 'gray', label: 'Nothing to do' },
  impossible: { color: 'red', label: 'Not possible' },
  waiting: { color: 'gray', label: 'Waiting' },
  under_way: { color: 'blue', label: 'Under way' },
  done: { color: 'green', label: 'Done' },
  failed: { color: 'red', label: 'Failed' },
} as const satisfies Record<BulkPhase, { color: string; label: string }>;

interface Props {
  readonly action: BulkAction;
  readonly items: readonly BulkItem[];
  readonly isPreview: boolean;
}

/** What will happen to each, or what happens. */
export function BulkItems({ action, items, isPreview }: Props): React.JSX.Element {
  const label = isPreview ? 'What will happen' : 'What happened';
  return (
    <ScrollArea.Autosize mah={360} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <Box className="surface">
        <Table verticalSpacing="xs" horizontalSpacing="sm" aria-label={label}>
          <Table.Tbody>
            {items.map((item) => (
              <Table.Tr key={item.workspace.id}>
                <Table.Th scope="row" fw={500} className="wrap-anywhere">
                  {item.workspace.owner_name}/{item.workspace.name}
                </Table.Th>
                <Table.Td w="60%">
                  <Outcome action={action} item={item} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </ScrollArea.Autosize>
  );
}

function Outcome({ action, item }: { action: BulkAction; item: BulkItem }): React.JSX.Element {
  const phase = phaseOf(item);
  if (phase === 'checking') return <Skeleton height={18} width={120} aria-label="Is being checked" />;
  const { color, label } = LOOKS[phase];
  return (
    <Group gap={6}>
      <Badge color={color} miw="max-content">
        {label}
      </Badge>
      <Text size="sm" className="wrap-anywhere">
        {phaseWords(action, item)}
      </Text>
    </Group>
  );
}
