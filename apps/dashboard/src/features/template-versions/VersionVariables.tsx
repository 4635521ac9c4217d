import { Badge, Box, Group, Skeleton, Table, Text } from '@mantine/core';
import { IconVariable } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import type { Version } from './version-words.ts';

/** The values that the author gave at the import. */
export function VersionVariables({ version }: { version: Version }): React.JSX.Element {
  const variables = useQuery(trpc.templateVersions.variables.queryOptions({ templateversion: version.id }));
  if (variables.isError) {
    return <ErrorNotice error={variables.error} title="The variables could not be loaded" onRetry={() => void variables.refetch()} />;
  }
  if (variables.data === undefined) return <Skeleton height={200} radius="md" />;
  if (variables.data.length === 0) {
    return (
      <EmptyState icon={<IconVariable size={24} />} title="No variables">
        The files of this version ask their author for nothing.
      </EmptyState>
    );
  }
  return (
    <Box className="surface" style={{ overflow: 'hidden' }}>
      <Table verticalSpacing="sm" horizontalSpacing="md" aria-label="Variables">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Variable</Table.Th>
            <Table.Th>Value</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {variables.data.map((variable) => (
            <Table.Tr key={variable.name}>
              <Table.Td>
                <Group gap={6}>
                  <Text size="sm" fw={600} className="wrap-anywhere">
                    {variable.name}
                  </Text>
                  {variable.required && <Badge size="xs">Required</Badge>}
                  {variable.sensitive && (
                    <Badge size="xs" color="violet">
                      Sensitive
                    </Badge>
                  )}
                </Group>
                <Text size="xs" c="dimmed">
                  {variable.description}
                </Text>
              </Table.Td>
              <Table.Td className="wrap-anywhere">
                {variable.sensitive ? (
                  <Text size="sm" c="dimmed">
                    sealed, never shown
                  </Text>
                ) : variable.value === '' ? (
                  <Text size="sm" c="dimmed">
                    empty
                  </Text>
                ) : (
                  variable.value
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
