import { Group, SegmentedControl, Select, Skeleton, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Template } from '@berth/api/contract/templates';
import { IconGitCompare } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, lazy } from 'react';
import { whenReachable } from '../../api/reachability.ts';
import { isKind } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import type { Version } from '../template-versions/version-words.ts';
import { newestFirst } from '../template-versions/version-words.ts';
import { FilesFailure } from './FilesTab.tsx';
import { useArchiveFiles } from './use-archive-files.ts';

const Changes = lazy(() => whenReachable(() => import('./Changes.tsx')).then((module) => ({ default: module.Changes })));

const VERSIONS_MAX = 1000;
const ROUTE = '/session/shell/templates/$organization/$name/versions/$version';

/** What differs between a version and another one: the one before it, unless the address names one. */
export function ChangesTab({ template, version }: { template: Template; version: Version }): React.JSX.Element {
  const { compare, view } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/templates/$organization/$name/versions/$version' });
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const names = { organization: template.organization_name, templatename: template.name };
  const versions = useQuery(
    trpc.templateVersions.list.queryOptions({ template: template.id, include_archived: true, limit: VERSIONS_MAX }, { staleTime: 0 }),
  );
  const previous = useQuery(
    trpc.templateVersions.getPrevious.queryOptions(
      { ...names, templateversionname: version.name },
      { enabled: compare === undefined, retry: false },
    ),
  );
  const chosen = useQuery(
    trpc.templateVersions.getByNames.queryOptions({ ...names, templateversionname: compare ?? '' }, { enabled: compare !== undefined }),
  );
  const base = compare === undefined ? previous : chosen;
  const isSplit = isWide && view !== 'unified';
  const others = newestFirst(versions.data ?? []).filter(({ id }) => id !== version.id);
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <Select
          label="Compared with"
          w={{ base: '100%', xs: 320 }}
          searchable
          allowDeselect={false}
          placeholder={versions.data === undefined ? 'Loading versions…' : 'Choose a version'}
          disabled={others.length === 0}
          nothingFoundMessage="No version has such a name."
          data={others.map((other) => ({ value: other.name, label: labelOf(other, template) }))}
          value={base.data?.name ?? compare ?? null}
          onChange={(next) => {
            if (next !== null) {
              void navigate({ search: (known) => ({ ...known, compare: next }), replace: true, resetScroll: false });
            }
          }}
        />
        {isWide && (
          <SegmentedControl
            aria-label="How changes are shown"
            data={[
              { value: 'split', label: 'Side by side' },
              { value: 'unified', label: 'Unified' },
            ]}
            value={isSplit ? 'split' : 'unified'}
            onChange={(next) =>
              void navigate({
                search: (known) => ({ ...known, view: next === 'unified' ? ('unified' as const) : undefined }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        )}
      </Group>
      {base.isError && compare === undefined && isKind(base.error, 'not_found') ? (
        <EmptyState icon={<IconGitCompare size={24} />} title="This is the first version">
          {others.length === 0 ? 'There is none to compare it with yet.' : 'Choose another one to compare it with.'}
        </EmptyState>
      ) : base.isError ? (
        <ErrorNotice error={base.error} title="The other version could not be loaded" onRetry={() => void base.refetch()} />
      ) : base.data === undefined ? (
        <Skeleton height={260} radius="md" aria-label="Loading versions" />
      ) : (
        <Compared key={base.data.id} base={base.data} version={version} isSplit={isSplit} />
      )}
    </Stack>
  );
}

function Compared({ base, version, isSplit }: { base: Version; version: Version; isSplit: boolean }): React.JSX.Element {
  const before = useArchiveFiles(base.job.file_id);
  const after = useArchiveFiles(version.job.file_id);
  const failed = [before, after].find(({ isError }) => isError);
  if (failed !== undefined) return <FilesFailure error={failed.error} onRetry={() => void failed.refetch()} />;
  if (before.data === undefined || after.data === undefined) {
    return <Skeleton height={260} radius="md" aria-label="Loading files" />;
  }
  return (
    <Suspense fallback={<Skeleton height={260} radius="md" />}>
      <Changes before={before.data} after={after.data} isSplit={isSplit} />
    </Suspense>
  );
}

function labelOf({ id, name, created_at: createdAt }: Version, template: Template): string {
  return `${name} · ${id === template.active_version_id ? 'active' : createdAt.slice(0, 10)}`;
}
