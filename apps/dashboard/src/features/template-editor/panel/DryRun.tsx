import { Alert, Group, List, Skeleton, Stack, Text } from '@mantine/core';
import type { WorkspaceResource } from '@berth/api/contract/agents';
import { isJobActive } from '@berth/domain';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../../api/trpc.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { BuildBadge } from '../../builds/BuildBadge.tsx';
import { JobLogView } from '../../builds/BuildLog.tsx';
import { useDryRunLog } from '../../builds/use-job-log.ts';
import { TemplateIcon } from '../../templates/TemplateIcon.tsx';

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
        <Made resources={resources.data.filter(({ workspace_transition: transition }) => transition === 'start')} />
      )}
      <JobLogView feed={feed} label="Log of the dry run" maxHeight={220} />
    </Stack>
  );
}

/** What would be made, one below the other: there is little room beside the files. */
function Made({ resources }: { resources: readonly WorkspaceResource[] }): React.JSX.Element {
  return (
    <List size="sm" listStyleType="none" spacing="xs" aria-label="What a start would make">
      {resources.map(({ id, name, type, icon, daily_cost: cost, agents }) => (
        <List.Item key={id} icon={<TemplateIcon icon={icon} name={name} size={26} />}>
          <Text span size="sm" fw={600} className="wrap-anywhere">
            {name}
          </Text>{' '}
          <Text span size="xs" c="dimmed" className="wrap-anywhere">
            {type}
            {cost > 0 && ` · costs ${cost} a day`}
            {agents !== undefined && agents.length > 0 && ` · agent ${agents.map((agent) => agent.name).join(', ')}`}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}
