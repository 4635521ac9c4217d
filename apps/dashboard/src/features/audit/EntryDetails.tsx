import { Box, Code, Group, Stack, Text, Title } from '@mantine/core';
import { CopyValue } from '../../ui/CopyValue.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { Changes } from './Changes.tsx';
import type { AuditLog } from './audit-words.ts';
import { valueText, words } from './audit-words.ts';
import { pageOf } from './page-of.ts';
import { programWords } from './programs.ts';

/** What changed, who did it, to what, from where, and how to find the rest of it. */
export function EntryDetails({ row }: { row: AuditLog }): React.JSX.Element {
  const page = pageOf(row);
  const extras = Object.entries(row.additional_fields_decoded);
  return (
    <Stack gap="lg">
      {Object.keys(row.diff).length > 0 ? (
        <Changes diff={row.diff} />
      ) : (
        <Text size="sm" c="dimmed">
          {row.status_code >= 400 ? 'The attempt was refused or did not come to its end, so nothing changed.' : 'No tracked field changed.'}
        </Text>
      )}
      <Part title="Who">
        <Fact name="User">
          {row.user === null ? (
            'not known any more'
          ) : (
            <AnchorLink size="sm" to="/people/users/$user" params={{ user: row.user.username }}>
              {row.user.username}
            </AnchorLink>
          )}
          {row.user !== null && (
            <AnchorLink size="xs" c="dimmed" underline="always" to="/audit" search={{ q: `username:${row.user.username}` }}>
              everything they did
            </AnchorLink>
          )}
        </Fact>
        <Fact name="Address">{row.ip === '' ? 'not known' : row.ip}</Fact>
        <Fact name="Program">
          <span title={row.user_agent}>{row.user_agent === '' ? 'not known' : programWords(row.user_agent)}</span>
        </Fact>
      </Part>
      <Part title="What">
        <Fact name={words(row.resource_type)}>
          {page === null ? (
            row.resource_target === '' ? (
              '–'
            ) : (
              row.resource_target
            )
          ) : (
            <AnchorLink size="sm" {...page}>
              {row.resource_target === '' ? 'open' : row.resource_target}
            </AnchorLink>
          )}
          {row.is_deleted && (
            <Text span c="dimmed" size="sm">
              deleted since
            </Text>
          )}
          <AnchorLink size="xs" c="dimmed" underline="always" to="/audit" search={{ q: `resource_id:${row.resource_id}` }}>
            everything about it
          </AnchorLink>
        </Fact>
        <Fact name="Id">
          <Code className="wrap-anywhere">{row.resource_id}</Code>
          <CopyValue value={row.resource_id} label="Copy resource id" />
        </Fact>
        {row.organization !== null && row.resource_type !== 'organization' && (
          <Fact name="Organization">
            <AnchorLink size="sm" to="/people/organizations/$organization" params={{ organization: row.organization.name }}>
              {row.organization.display_name === '' ? row.organization.name : row.organization.display_name}
            </AnchorLink>
          </Fact>
        )}
        {extras.map(([name, value]) => (
          <Fact key={name} name={words(name)}>
            <Text span size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {valueText(value)}
            </Text>
          </Fact>
        ))}
      </Part>
      <Part title="When and how">
        <Fact name="Time">{exactTime(row.time)}</Fact>
        <Fact name="In UTC">
          <Code>{row.time}</Code>
        </Fact>
        <Fact name="Answer">{row.status_code}</Fact>
        <Fact name="Request">
          <Code className="wrap-anywhere">{row.request_id}</Code>
          <CopyValue value={row.request_id} label="Copy request id" />
          <AnchorLink size="xs" c="dimmed" underline="always" to="/audit" search={{ q: `request_id:${row.request_id}` }}>
            everything of this request
          </AnchorLink>
        </Fact>
        <Fact name="Entry">
          <Code className="wrap-anywhere">{row.id}</Code>
          <CopyValue value={row.id} label="Copy entry id" />
        </Fact>
      </Part>
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }): React.JSX.Element {
  return (
    <Box component="section" aria-label={title}>
      <Title order={3} size="xs" c="dimmed" tt="uppercase" mb={6}>
        {title}
      </Title>
      <Stack component="dl" gap={6} m={0}>
        {children}
      </Stack>
    </Box>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }): React.JSX.Element {
  return (
    <Group gap="sm" wrap="nowrap" align="baseline">
      <Text component="dt" size="sm" c="dimmed" w={{ base: 88, xs: 130 }} style={{ flexShrink: 0 }} className="wrap-anywhere">
        {name}
      </Text>
      <Group component="dd" gap={8} m={0} miw={0} align="center" fz="sm" className="wrap-anywhere">
        {children}
      </Group>
    </Group>
  );
}
