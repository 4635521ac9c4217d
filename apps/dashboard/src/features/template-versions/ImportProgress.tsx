import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { isJobActive } from '@berth/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { BuildBadge } from '../builds/BuildBadge.tsx';
import { BuildLog } from '../builds/BuildLog.tsx';
import type { Version } from './version-words.ts';
import { importTrouble } from './version-words.ts';

/** A job that waits writes no log that would tell of its place in the queue. */
const POLL_MS = 2000;

interface Props {
  readonly versionId: string;
  /** What to do next, once the import has ended. */
  readonly next: (version: Version) => React.ReactNode;
}

/** How the import of a version goes, live, and at its end what to do next. */
export function ImportProgress({ versionId, next }: Props): React.JSX.Element {
  const version = useQuery(
    trpc.templateVersions.get.queryOptions(
      { templateversion: versionId },
      { staleTime: 0, refetchInterval: (query) => (query.state.data?.job.completed_at === null ? POLL_MS : false) },
    ),
  );
  const cancel = useMutation(
    trpc.templateVersions.cancel.mutationOptions({
      onSuccess: ({ message }) => notifyDone(message),
      onError: (error) => notifyFailure('The import goes on', error),
    }),
  );
  const trouble = version.data === undefined ? '' : importTrouble(version.data);
  return (
    <Stack>
      {version.isError && (
        <ErrorNotice error={version.error} title="The import could not be looked at" onRetry={() => void version.refetch()} />
      )}
      {version.data !== undefined && (isJobActive(version.data.job.status) || version.data.job.status === 'succeeded') && (
        <Group className="surface" px="md" py="sm" justify="space-between">
          <Group gap="sm" role="status">
            <BuildBadge status={version.data.job.status} size="lg" />
            <Text size="sm">
              {version.data.job.status === 'succeeded'
                ? 'The import is done.'
                : trouble !== '' && isJobActive(version.data.job.status)
                  ? trouble
                  : 'Import'}
            </Text>
          </Group>
          {isJobActive(version.data.job.status) && (
            <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ templateversion: versionId })}>
              Cancel import
            </Button>
          )}
        </Group>
      )}
      {version.data !== undefined && !isJobActive(version.data.job.status) && (
        <>
          {trouble !== '' && (
            <Alert color="red" title="The import failed" role="alert">
              <Text size="sm" className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }}>
                {trouble}
              </Text>
            </Alert>
          )}
          {next(version.data)}
        </>
      )}
      <BuildLog id={versionId} of="template version" label="Import log" onEnded={() => void version.refetch()} />
    </Stack>
  );
}
