import { Alert, Box, Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { WorkspaceBuild } from '@berth/api/contract/builds';
import type { Workspace } from '@berth/api/contract/workspaces';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { When } from '../../ui/When.tsx';
import { BuildBadge } from './BuildBadge.tsx';
import { buildTook, reasonText } from './build-facts.ts';
import { AnchorLink } from '../../ui/links.tsx';

const PAGE_ROWS = 20;

/** Every build of a workspace, newest first. */
export function BuildHistory({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const { page = 1 } = useSearch({ from: '/session/shell/@{$owner}/$name' });
  const navigate = useNavigate({ from: '/@{$owner}/$name' });
  const builds = useQuery(
    trpc.builds.list.queryOptions(
      { workspace: workspace.id, limit: PAGE_ROWS + 1, offset: (page - 1) * PAGE_ROWS },
      { placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  if (builds.isError) {
    return <ErrorNotice error={builds.error} title="The builds could not be loaded" onRetry={() => void builds.refetch()} />;
  }
  if (builds.data === undefined) return <Skeleton height={320} radius="md" />;
  const shown = builds.data.slice(0, PAGE_ROWS).map((build) => (build.id === workspace.latest_build.id ? workspace.latest_build : build));
  const isMissingLatest = page === 1 && shown[0] !== undefined && shown[0].build_number < workspace.latest_build.build_number;
  const rows = isMissingLatest ? [workspace.latest_build, ...shown] : shown;
  const go = (next: number): void => void navigate({ search: { tab: 'builds', page: next } });
  return (
    <Stack>
      {rows.length === 0 ? (
        <Alert color="gray">There are no builds on this page.</Alert>
      ) : (
        <Box className="surface" style={{ overflow: 'hidden' }}>
          <Table verticalSpacing="sm" horizontalSpacing="sm" aria-label="Builds">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Build</Table.Th>
                <Table.Th>Result</Table.Th>
                <Table.Th visibleFrom="sm">Started by</Table.Th>
                <Table.Th visibleFrom="md">Version</Table.Th>
                <Table.Th visibleFrom="sm">Took</Table.Th>
                <Table.Th>When</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((build) => (
                <BuildRow key={build.id} build={build} />
              ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
      {(page > 1 || builds.data.length > PAGE_ROWS) && (
        <Group justify="center">
          <Button size="xs" variant="default" disabled={page === 1} onClick={() => go(page - 1)}>
            Newer
          </Button>
          <Button size="xs" variant="default" disabled={builds.data.length <= PAGE_ROWS} onClick={() => go(page + 1)}>
            Older
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function BuildRow({ build }: { build: WorkspaceBuild }): React.JSX.Element {
  return (
    <Table.Tr>
      <Table.Td>
        <AnchorLink
          to="/@{$owner}/$name/builds/$number"
          params={{ owner: build.workspace_owner_name, name: build.workspace_name, number: String(build.build_number) }}
          size="sm"
          fw={600}
        >
          #{build.build_number} {build.transition}
        </AnchorLink>
      </Table.Td>
      <Table.Td>
        <BuildBadge status={build.job.status} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">{reasonText(build)}</Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm">{build.template_version_name}</Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm" className="tabular">
          {buildTook(build)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm">
          <When at={build.created_at} />
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
