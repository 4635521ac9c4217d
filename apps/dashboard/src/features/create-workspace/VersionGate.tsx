import { Skeleton, Stack } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import type { ParameterValue, RichParameter } from '@berth/domain';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { NotImported } from './NotImported.tsx';
import { parametersFromWire } from './parameter-form.ts';

const POLL_MS = 2000;

export interface VersionFacts {
  readonly definitions: readonly RichParameter[];
  /** What the person answered the last time, as far as it is known. */
  readonly earlier: readonly ParameterValue[];
}

interface Props {
  readonly template: Template;
  readonly children: (facts: VersionFacts) => React.ReactNode;
}

/** Shows what is in it once the template's active version has been imported, and until then how its import goes. */
export function VersionGate({ template, children }: Props): React.JSX.Element {
  const input = { templateversion: template.active_version_id };
  const version = useQuery(
    trpc.templateVersions.get.queryOptions(input, {
      // A job that waits writes no log that would tell of its place in the queue.
      refetchInterval: (query) => (query.state.data?.job.completed_at === null ? POLL_MS : false),
    }),
  );
  const isImported = version.data?.job.status === 'succeeded';
  const parameters = useQuery(
    trpc.templateVersions.richParameters.queryOptions(input, { enabled: isImported, staleTime: Number.POSITIVE_INFINITY }),
  );
  // The form works without it, so a failure is none of the page.
  const earlier = useQuery(
    trpc.users.autofillParameters.queryOptions({ user: 'me', template_id: template.id }, { staleTime: 0, gcTime: 0, retry: false }),
  );
  const definitions = useMemo(() => (parameters.data === undefined ? undefined : parametersFromWire(parameters.data)), [parameters.data]);
  const failed = [version, parameters].find(({ isError }) => isError);
  if (failed !== undefined) {
    return <ErrorNotice error={failed.error} title="The template could not be read" onRetry={() => void failed.refetch()} />;
  }
  if (version.data !== undefined && !isImported) {
    return <NotImported template={template} version={version.data} onChange={() => void version.refetch()} />;
  }
  if (definitions === undefined || earlier.isPending) {
    return (
      <Stack maw={640} aria-busy="true">
        <Skeleton height={60} />
        <Skeleton height={60} />
      </Stack>
    );
  }
  return <>{children({ definitions, earlier: earlier.data ?? [] })}</>;
}
