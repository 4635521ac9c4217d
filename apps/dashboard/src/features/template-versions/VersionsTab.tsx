import { Badge, Group, Stack, Switch, Table, Text } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { isJobActive } from '@berth/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ACTIONS, PagedTable } from '../../ui/DataTable.tsx';
import classes from '../../ui/rows.module.css';
import { TableSkeleton } from '../../ui/TableSkeleton.tsx';
import { When } from '../../ui/When.tsx';
import { BuildBadge } from '../builds/BuildBadge.tsx';
import { ArchiveUnused } from './ArchiveUnused.tsx';
import { VersionMenu } from './VersionMenu.tsx';
import type { Version } from './version-words.ts';
import { importTrouble, newestFirst } from './version-words.ts';

const PAGE_ROWS = 20;
const VERSIONS_MAX = 1000;
/** While an import is under way; there is no stream of a template's versions. */
const POLL_MS = 2000;

/** Every version of a template, newest first. */
export function VersionsTab({ template, mayChange }: { template: Template; mayChange: boolean }): React.JSX.Element {
  const { page = 1, archived = false } = useSearch({ from: '/session/shell/templates/$organization/$name' });
  const navigate = useNavigate({ from: '/templates/$organization/$name' });
  const versions = useQuery(
    trpc.templateVersions.list.queryOptions(
      { template: template.id, include_archived: archived, limit: VERSIONS_MAX },
      {
        placeholderData: keepPreviousData,
        staleTime: 0,
        refetchInterval: (query) => (query.state.data?.some(({ job }) => isJobActive(job.status)) === true ? POLL_MS : false),
      },
    ),
  );
  if (versions.isError) {
    return <ErrorNotice error={versions.error} title="The versions could not be loaded" onRetry={() => void versions.refetch()} />;
  }
  if (versions.data === undefined) return <TableSkeleton label="Loading versions" />;
  const all = newestFirst(versions.data);
  return (
    <Stack>
      <Group justify="space-between">
        <Switch
          label="Show archived"
          checked={archived}
          onChange={(event) => {
            const isShown = event.currentTarget.checked;
            void navigate({ search: isShown ? { tab: 'versions', archived: true } : { tab: 'versions' }, replace: true });
          }}
        />
        {mayChange && <ArchiveUnused template={template} />}
      </Group>
      <PagedTable
        label="Versions"
        isStale={versions.isPlaceholderData}
        columns={[
          { title: 'Version' },
          { title: 'Import', from: 'xs' },
          { title: 'Made by', from: 'sm' },
          { title: 'When', from: 'sm' },
          ...(mayChange ? [ACTIONS] : []),
        ]}
        rows={all}
        pageRows={PAGE_ROWS}
        page={page}
        noun={['version', 'versions']}
        onPage={(next) => void navigate({ search: (known) => ({ ...known, page: next }) })}
        renderRow={(version) => <VersionRow key={version.id} template={template} version={version} mayChange={mayChange} />}
      />
    </Stack>
  );
}

function VersionRow({ template, version, mayChange }: { template: Template; version: Version; mayChange: boolean }): React.JSX.Element {
  const trouble = importTrouble(version);
  return (
    <Table.Tr className={classes['row']}>
      <Table.Td>
        <Group gap={6}>
          <Link
            to="/templates/$organization/$name/versions/$version"
            params={{ organization: template.organization_name, name: template.name, version: version.name }}
            className={classes['link']}
          >
            {version.name}
          </Link>
          {version.id === template.active_version_id && <Badge color="green">Active</Badge>}
          {version.archived && <Badge color="gray">Archived</Badge>}
        </Group>
        {version.message !== '' && (
          <Text size="xs" c="dimmed" lineClamp={2} className="wrap-anywhere">
            {version.message}
          </Text>
        )}
        {trouble !== '' && (
          <Text
            size="xs"
            c={version.job.status === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}
            lineClamp={2}
            className="wrap-anywhere"
          >
            {trouble}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="xs">
        <BuildBadge status={version.job.status} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">{version.created_by.username}</Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">
          <When at={version.created_at} />
        </Text>
      </Table.Td>
      {mayChange && (
        <Table.Td>
          <Group justify="flex-end" className={classes['actions']}>
            <VersionMenu template={template} version={version} />
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  );
}
