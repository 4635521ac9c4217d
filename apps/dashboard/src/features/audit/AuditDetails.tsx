import { Code, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import type { AuditLog } from './audit-words.ts';
import { CopyValue } from '../../ui/CopyValue.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { valueText } from './audit-words.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { pageOf } from './page-of.ts';

const SECRET = '•••';

/** All that an entry holds: what changed, from where it came, and how to find it in the server's log. */
export function AuditDetails({ row }: { row: AuditLog }): React.JSX.Element {
  const changes = Object.entries(row.diff);
  const extras = Object.entries(row.additional_fields_decoded);
  const page = pageOf(row.resource_link);
  return (
    <Stack gap="md" pb="xs">
      {changes.length > 0 ? (
        <Table aria-label="Changes" verticalSpacing={4} fz="xs" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="24%">Field</Table.Th>
              <Table.Th>Before</Table.Th>
              <Table.Th>After</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes.map(([field, { old, new: next, secret }]) => (
              <Table.Tr key={field}>
                <Table.Th scope="row" fw={500} className="wrap-anywhere">
                  {field}
                </Table.Th>
                <Value text={secret ? SECRET : valueText(old)} color="red" isEmpty={!secret && valueText(old) === 'empty'} />
                <Value text={secret ? SECRET : valueText(next)} color="green" isEmpty={!secret && valueText(next) === 'empty'} />
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      ) : (
        <Text size="xs" c="dimmed">
          {row.status_code >= 400 ? 'The attempt was refused, so nothing changed.' : 'No tracked field changed.'}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={6} verticalSpacing={6}>
        <Detail name="Time">{exactTime(row.time)}</Detail>
        <Detail name="Status">{row.status_code}</Detail>
        <Detail name="Address">{row.ip === '' ? 'not known' : row.ip}</Detail>
        <Detail name="Program">{row.user_agent === '' ? 'not known' : row.user_agent}</Detail>
        <Detail name="Request">
          <Group gap={4} wrap="nowrap">
            <Code>{row.request_id}</Code>
            <CopyValue value={row.request_id} label="Copy request id" />
          </Group>
        </Detail>
        <Detail name="Resource id">
          <Group gap={4} wrap="nowrap">
            <Code>{row.resource_id}</Code>
            <CopyValue value={row.resource_id} label="Copy resource id" />
          </Group>
        </Detail>
        {extras.map(([name, value]) => (
          <Detail key={name} name={name.replaceAll('_', ' ')}>
            {valueText(value)}
          </Detail>
        ))}
      </SimpleGrid>
      <Group gap="md">
        {page !== null && (
          <AnchorLink size="xs" {...page}>
            Open {row.resource_target}
          </AnchorLink>
        )}
        <AnchorLink size="xs" to="/audit" search={{ q: `resource_id:${row.resource_id}` }}>
          Everything about this resource
        </AnchorLink>
        {row.user !== null && (
          <AnchorLink size="xs" to="/audit" search={{ q: `username:${row.user?.username ?? ''}` }}>
            Everything by {row.user.username}
          </AnchorLink>
        )}
      </Group>
    </Stack>
  );
}

function Value({ text, color, isEmpty }: { text: string; color: string; isEmpty: boolean }): React.JSX.Element {
  return (
    <Table.Td
      className="wrap-anywhere"
      style={{ whiteSpace: 'pre-wrap' }}
      c={isEmpty ? 'dimmed' : `var(--mantine-color-${color}-light-color)`}
      fs={isEmpty ? 'italic' : undefined}
    >
      {text}
    </Table.Td>
  );
}

function Detail({ name, children }: { name: string; children: React.ReactNode }): React.JSX.Element {
  return (
    <Group gap="xs" wrap="nowrap" align="baseline">
      <Text size="xs" c="dimmed" w={92} style={{ flexShrink: 0 }}>
        {name}
      </Text>
      <Text component="div" size="xs" className="wrap-anywhere" miw={0}>
        {children}
      </Text>
    </Group>
  );
}
