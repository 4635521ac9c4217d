import { Accordion, Avatar, Badge, Box, Group, Text } from '@mantine/core';
import type { AuditLog } from './audit-words.ts';
import { When } from '../../ui/When.tsx';
import { AuditDetails } from './AuditDetails.tsx';
import { programName, sentence } from './audit-words.ts';

/** One entry: the sentence, and everything else when opened. */
export function AuditRow({ row }: { row: AuditLog }): React.JSX.Element {
  const who = row.user?.username ?? '';
  const isRefused = row.status_code >= 400;
  return (
    <Accordion.Item value={row.id}>
      <Accordion.Control py={2}>
        <Group gap="sm" wrap="nowrap">
          <Avatar
            name={who === '' ? '?' : who}
            src={row.user?.avatar_url === '' ? null : row.user?.avatar_url}
            alt=""
            size={30}
            color="harbour"
            visibleFrom="xs"
          />
          <Box style={{ flex: 1 }} miw={0}>
            <Text size="sm" className="wrap-anywhere">
              {sentence(row).map(({ text, isName }, index) => (
                <Text key={`${index}:${text}`} span inherit fw={isName ? 600 : 400}>
                  {text}
                </Text>
              ))}
              {row.is_deleted && row.action !== 'delete' && (
                <Text span inherit c="dimmed">
                  {' '}
                  (deleted since)
                </Text>
              )}
            </Text>
            <Text size="xs" c="dimmed">
              <When at={row.time} />
              {row.organization !== null &&
                ` · ${row.organization.display_name === '' ? row.organization.name : row.organization.display_name}`}
            </Text>
          </Box>
          {isRefused && (
            <Badge color="red" title="The attempt was refused">
              {row.status_code}
            </Badge>
          )}
          <Text size="xs" c="dimmed" visibleFrom="sm" w={150} ta="right" truncate>
            {[row.ip, programName(row.user_agent)].filter((part) => part !== '').join(' · ')}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <AuditDetails row={row} />
      </Accordion.Panel>
    </Accordion.Item>
  );
}
