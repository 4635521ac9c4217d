import { Alert, Button, Skeleton, Stack } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client, trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyFailure } from '../../ui/notify.ts';
import { Page } from '../../ui/Page.tsx';
import { When } from '../../ui/When.tsx';
import { useSiteRights } from '../access/use-permissions.ts';
import type { Report } from './health-words.ts';
import { SEVERITY_LOOKS, sectionsOf, toggled, verdict } from './health-words.ts';
import { HealthSectionCard } from './HealthSectionCard.tsx';

const REFRESH_MS = 60_000;

const reportQuery = () => trpc.health.get.queryOptions({}, { staleTime: REFRESH_MS, refetchInterval: REFRESH_MS });

/** How the deployment is, as the server that answers sees it. */
export function HealthPage(): React.JSX.Element {
  const queryClient = useQueryClient();
  const report = useQuery(reportQuery());
  const check = useMutation({
    mutationFn: () => client.health.get.query({ force: true }),
    onSuccess: (found) => queryClient.setQueryData(reportQuery().queryKey, found),
    onError: (error) => notifyFailure('The checks could not be run', error),
  });
  return (
    <Page
      title="Health"
      subtitle={
        report.data === undefined ? (
          'The server checks itself, and what it needs.'
        ) : (
          <>
            Checked <When at={report.data.time} /> · {report.data.version}
          </>
        )
      }
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={check.isPending || (report.isFetching && report.data === undefined)}
          onClick={() => check.mutate()}
        >
          Check now
        </Button>
      }
    >
      {report.data !== undefined ? (
        <Sections report={report.data} />
      ) : report.isError ? (
        <ErrorNotice error={report.error} title="The health could not be checked" onRetry={() => void report.refetch()} />
      ) : (
        <Skeleton height={420} radius="md" />
      )}
    </Page>
  );
}

function Sections({ report }: { report: Report }): React.JSX.Element {
  const queryClient = useQueryClient();
  const { may } = useSiteRights();
  const update = useMutation(
    trpc.health.updateSettings.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.health.pathFilter()),
      onError: (error) => notifyFailure('This could not be changed', error),
    }),
  );
  const sections = sectionsOf(report);
  const { severity, sentence } = verdict(sections);
  return (
    <Stack>
      <Alert color={SEVERITY_LOOKS[severity].color} role="status">
        {sentence}
      </Alert>
      {sections.map((section) => (
        <HealthSectionCard
          key={section.section}
          section={section}
          {...(may.writeConfig
            ? { onToggle: () => update.mutate({ dismissed_healthchecks: toggled(sections, section.section) }), isPending: update.isPending }
            : {})}
        />
      ))}
    </Stack>
  );
}
