import { Alert, Badge, Box, Group, Table, Text, Tooltip } from '@mantine/core';
import { IconServerOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { TableSkeleton } from '../../ui/TableSkeleton.tsx';
import { When } from '../../ui/When.tsx';
import { BuildBadge } from '../builds/BuildBadge.tsx';
import type { Organization } from '../organizations/organization-words.ts';
import { tagsText } from '../template-versions/version-words.ts';
import type { Daemon } from './provisioner-words.ts';
import { STATUS_LOOKS, jobWords } from './provisioner-words.ts';

/** Daemons come and go, and no stream tells of them. */
const POLL_MS = 5000;

/** The daemons of an organization: whether they are there, what they can do, and what they are at. */
export function Daemons({ organization }: { organization: Organization }): React.JSX.Element {
  const daemons = useQuery(
    trpc.provisionerDaemons.list.queryOptions({ organization: organization.id }, { staleTime: 0, refetchInterval: POLL_MS }),
  );
  if (daemons.isError) {
    return <ErrorNotice error={daemons.error} title="The provisioners could not be loaded" onRetry={() => void daemons.refetch()} />;
  }
  if (daemons.data === undefined) return <TableSkeleton label="Loading provisioners" rows={2} />;
  if (daemons.data.length === 0) {
    return (
      <EmptyState icon={<IconServerOff size={24} />} title="No provisioner was ever here">
        Without one, builds and imports wait. The server brings one unless it was told not to; others come with a key from below.
      </EmptyState>
    );
  }
  const isAlone = daemons.data.every(({ status }) => status === 'offline');
  return (
    <>
      {isAlone && (
        <Alert color="orange" title="No provisioner is there now" role="status">
          Builds and imports wait until one comes back.
        </Alert>
      )}
      <Box className="surface" style={{ overflow: 'hidden' }}>
        <Table verticalSpacing="sm" horizontalSpacing="md" aria-label="Provisioners">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th visibleFrom="sm">Takes</Table.Th>
              <Table.Th visibleFrom="md">Jobs</Table.Th>
              <Table.Th visibleFrom="sm">Last heard from</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {daemons.data.map((daemon) => (
              <DaemonRow key={daemon.id} daemon={daemon} />
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </>
  );
}

function DaemonRow({ daemon }: { daemon: Daemon }): React.JSX.Element {
  const { label, color, meaning } = STATUS_LOOKS[daemon.status];
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td>
        <Text size="sm" fw={600} className="wrap-anywhere">
          {daemon.name}
        </Text>
        <Text size="xs" c="dimmed" className="wrap-anywhere">
          {daemon.version} · key {daemon.key_name}
        </Text>
      </Table.Td>
      <Table.Td>
        <Tooltip label={meaning}>
          <Badge color={color} miw="max-content" tabIndex={0}>
            {label}
          </Badge>
        </Tooltip>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">{daemon.provisioners.join(', ')}</Text>
        <Text size="xs" c="dimmed" className="wrap-anywhere">
          {tagsText(daemon.tags)}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        {daemon.current_job === null && daemon.previous_job === null && (
          <Text size="sm" c="dimmed">
            none yet
          </Text>
        )}
        {daemon.current_job !== null && <JobLine prefix="Now" job={daemon.current_job} />}
        {daemon.previous_job !== null && <JobLine prefix="Last" job={daemon.previous_job} />}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">
          <When at={daemon.last_seen_at} never="it left" />
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

function JobLine({ prefix, job }: { prefix: string; job: NonNullable<Daemon['current_job']> }): React.JSX.Element {
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm">
        {prefix}: {jobWords(job)}
      </Text>
      <BuildBadge status={job.status} />
    </Group>
  );
}
