import { Box, Progress, Table, Text } from '@mantine/core';

export interface Share {
  readonly key: string;
  readonly name: React.ReactNode;
  readonly value: number;
  /** The value as people read it. */
  readonly text: string;
}

interface Props {
  readonly label: string;
  readonly columns: readonly [name: string, value: string];
  readonly rows: readonly Share[];
  /** Said in place of a table without rows. */
  readonly empty: string;
}

/** Amounts side by side: each as a number, and as a bar of the largest. */
export function ShareTable({ label, columns: [name, value], rows, empty }: Props): React.JSX.Element {
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    );
  }
  const largest = Math.max(1, ...rows.map((row) => row.value));
  return (
    <Table aria-label={label} verticalSpacing={6} horizontalSpacing={0} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{name}</Table.Th>
          <Table.Th w={110} ta="right">
            {value}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.key}>
            <Table.Td>
              <Box className="wrap-anywhere" mb={4}>
                {row.name}
              </Box>
              <Progress value={(row.value / largest) * 100} size="sm" aria-hidden />
            </Table.Td>
            <Table.Td ta="right" className="tabular" style={{ verticalAlign: 'top' }}>
              {row.text}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
