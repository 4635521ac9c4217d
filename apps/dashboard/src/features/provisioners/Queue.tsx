import { Badge, Box, Button, Skeleton, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client, trpc } from '../../api/trpc.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { When } from '../../ui/When.tsx';
import type { Organization } from '../organizations/organization-words.ts';
import { tagsText } from '../template-versions/version-words.ts';
import type { Nearest, QueuedJob } from './nearest.ts';
import { nearestDaemon } from './nearest.ts';
import type { Daemon } from './provisioner-words.ts';

/** The queue changes with every build, and no stream tells of it. */
const POLL_MS = 3000;

const COLUMNS = [
  { title: 'Job' },
  { title: 'Why it waits', from: 'sm' },
  { title: 'Place', from: 'sm', width: 90 },
  { title: 'Since', from: 'sm', width: 140 },
  { title: 'Actions', isLast: true, width: 90 },
] as const;

/** What waits for a provisioner of an organization, and why. */
export function Queue({ organization }: { organization: Organization }): React.JSX.Element {
  const place = { organization: organization.id };
  const queue = useQuery(trpc.provisionerDaemons.queue.queryOptions(place, { staleTime: 0, refetchInterval: POLL_MS }));
  const daemons = useQuery(trpc.provisionerDaemons.list.queryOptions(place));
  if (queue.isError) {
    return <ErrorNotice error={queue.error} title="The queue could not be loaded" onRetry={() => void queue.refetch()} />;
  }
  if (queue.data === undefined) return <Skeleton height={52} radius="md" role="status" aria-label="Loading the queue" />;
  if (queue.data.length === 0) {
    return (
      <Box className="surface" p="md">
        <Text size="sm" c="dimmed">
          Nothing waits: every job has a provisioner.
        </Text>
      </Box>
    );
  }
  return (
    <DataTable label="Waiting jobs" columns={COLUMNS}>
      {queue.data.map((job) => (
        <JobRow key={job.id} job={job} daemons={daemons.data ?? []} />
      ))}
    </DataTable>
  );
}

function JobRow({ job, daemons }: { job: QueuedJob; daemons: readonly Daemon[] }): React.JSX.Element {
  const isUnmet = job.why === 'waiting_no_provisioner';
  const nearest = isUnmet ? nearestDaemon(job, daemons) : null;
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td>
        <Text size="sm" fw={600} component="div" className="wrap-anywhere">
          <JobName job={job} />
        </Text>
        <Text size="xs" c="dimmed" className="wrap-anywhere">
          {job.provisioner} · {tagsText(withoutScope(job.tags))} · by {job.initiator}
        </Text>
        <Box hiddenFrom="sm" mt={4}>
          <Reason job={job} nearest={nearest} />
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Reason job={job} nearest={nearest} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Badge color={isUnmet ? 'orange' : 'gray'} variant="light">
          {job.queue_position} of {job.queue_size}
        </Badge>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">
          <When at={job.created_at} />
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        <Cancel job={job} />
      </Table.Td>
    </Table.Tr>
  );
}

function Reason({ job, nearest }: { job: QueuedJob; nearest: Nearest | null }): React.JSX.Element {
  return (
    <>
      <Text size="sm" fw={job.why === 'waiting_no_provisioner' ? 600 : 400} className="wrap-anywhere">
        {job.sentence}
      </Text>
      {nearest !== null && (
        <Text size="xs" c="dimmed" className="wrap-anywhere">
          {nearest.daemon} comes nearest: it lacks {nearest.missing.join(', ')}.
        </Text>
      )}
    </>
  );
}

function withoutScope(tags: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).filter(([name, value]) => !(name === 'scope' && value === 'organization')));
}

function JobName({ job: { type, build, version } }: { job: QueuedJob }): React.JSX.Element {
  switch (type) {
    case 'workspace_build':
      return build === null ? (
        <>A build</>
      ) : (
        <AnchorLink
          to="/@{$owner}/$name/builds/$number"
          params={{ owner: build.owner_name, name: build.workspace_name, number: String(build.number) }}
          inherit
        >
          {TRANSITION_WORDS[build.transition]} {build.owner_name}/{build.workspace_name}
        </AnchorLink>
      );
    case 'template_version_import':
      return <>Import of {version === null ? 'a template version' : versionName(version)}</>;
    case 'template_version_dry_run':
      return <>Dry run of {version === null ? 'a template version' : versionName(version)}</>;
  }
}

const TRANSITION_WORDS = { start: 'Start of', stop: 'Stop of', delete: 'Deletion of' } as const;

function versionName({ template_name: template, name }: NonNullable<QueuedJob['version']>): string {
  return template === '' ? name : `${template} ${name}`;
}

function Cancel({ job: { type, build, version } }: { job: QueuedJob }): React.JSX.Element | null {
  const queryClient = useQueryClient();
  const cancel = useMutation({
    mutationFn: async () => {
      if (build !== null) await client.builds.cancel.mutate({ workspacebuild: build.id });
      else if (version !== null) await client.templateVersions.cancel.mutate({ templateversion: version.id });
    },
    onSuccess: async () => {
      notifyDone('The job is canceled.');
      await queryClient.invalidateQueries(trpc.provisionerDaemons.pathFilter());
    },
    onError: (error) => notifyFailure('The job could not be canceled', error),
  });
  const may = build?.may_cancel === true || (type === 'template_version_import' && version?.may_cancel === true);
  if (!may) return null;
  return (
    <Button size="compact-sm" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
      Cancel
    </Button>
  );
}
