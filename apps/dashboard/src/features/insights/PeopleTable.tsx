import { Anchor, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Outputs } from '../../api/trpc.ts';
import { usageTime } from './insights-words.ts';

interface Props {
  readonly people: Outputs['insights']['userActivity']['report']['users'];
  readonly latencies: Outputs['insights']['userLatency']['report']['users'];
}

const SHOWN_AT_FIRST = 10;

/** Who was active, the longest first, and how far they are from their workspaces. */
export function PeopleTable({ people, latencies }: Props): React.JSX.Element {
  const [isAll, { open }] = useDisclosure(false);
  const medians = new Map(latencies.map(({ user_id: id, latency_ms: { p50 } }) => [id, p50]));
  if (people.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nobody was active in this period.
      </Text>
    );
  }
  const sorted = people.toSorted((one, other) => other.seconds - one.seconds);
  return (
    <div>
      <Table aria-label="Time by developer" verticalSpacing={6} horizontalSpacing={0}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Developer</Table.Th>
            <Table.Th ta="right">Time</Table.Th>
            <Table.Th ta="right">Latency</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {(isAll ? sorted : sorted.slice(0, SHOWN_AT_FIRST)).map((person) => {
            const median = medians.get(person.user_id);
            return (
              <Table.Tr key={person.user_id}>
                <Table.Td className="wrap-anywhere">{person.username}</Table.Td>
                <Table.Td ta="right" className="tabular">
                  {usageTime(person.seconds)}
                </Table.Td>
                <Table.Td ta="right" className="tabular" c={median === undefined ? 'dimmed' : undefined}>
                  {median === undefined ? 'unknown' : `${Math.round(median)} ms`}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      {!isAll && sorted.length > SHOWN_AT_FIRST && (
        <Anchor component="button" type="button" size="xs" mt={6} onClick={open}>
          Show all {sorted.length.toLocaleString('en')}
        </Anchor>
      )}
    </div>
  );
}
