import { Alert, Group, Skeleton, Stack, Text } from '@mantine/core';
import { isJobActive } from '@berth/domain';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../../api/trpc.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { BuildBadge } from '../../builds/BuildBadge.tsx';
import { JobLogView } from '../../builds/BuildLog.tsx';
import { useDryRunLog } from '../../builds/use-job-log.ts';
import { Resources } from '../../workspace/Resources.tsx';

const POLL_MS = 1000;

/** It begins below what asked for it, which may be long. */
function show(section: HTMLElement | null): void {
  section?.scrollIntoView({ block: 'start' });
}

/** A dry run: how it goes, and what a first start would make. */
export function DryRun({ versionId, jobId }: { versionId: string; jobId: string }): React.JSX.Element {
  const input = { templateversion: versionId, jobID: jobId };
  const job = useQuery(
    trpc.templateVersions.dryRun.queryOptions(input, {
      staleTime: 0,
      refetchInterval: (query) => (query.state.data?.completed_at === null || query.state.data === undefined ? POLL_MS : false),
    }),
  );
  const isDone = job.data?.status === 'succeeded';
  const resources = useQuery(trpc.templateVersions.dryRunResources.queryOptions(input, { enabled: isDone }));
  const feed = useDryRunLog({ versionId, jobId });
  const failed = [job, resources].find(({ isError }) => isError);
  return (
    <Stack gap="sm" component="section" aria-label="Dry run" ref={show}>
      {failed !== undefined && (
        <ErrorNotice error={failed.error} title="The dry run could not be looked at" onRetry={() => void failed.refetch()} />
      )}
      {job.data !== undefined && (
        <Group gap="xs" role="status">
          <BuildBadge status={job.data.status} />
          <Text size="sm">{isJobActive(job.data.status) ? 'The dry run is under way.' : 'The dry run is over; nothing was made.'}</Text>
        </Group>
      )}
      {job.data?.status === 'failed' && (
        <Alert color="red" title="The dry run failed" role="alert">
          <Text size="sm" className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }}>
            {job.data.error}
          </Text>
        </Alert>
      )}
      {isDone && resources.data === undefined && !resources.isError && <Skeleton height={90} radius="md" />}
      {resources.data !== undefined && (
        <Resources resources={resources.data.filter(({ workspace_transition: transition }) => transition === 'start')} />
      )}
      <JobLogView feed={feed} label="Log of the dry run" maxHeight={220} />
    </Stack>
  );
}
