import { Box, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Section } from '../account/Section.tsx';
import { BarChart } from './BarChart.tsx';
import { longDay, shortDay, usageTime } from './insights-words.ts';
import type { Period } from './period.ts';
import { PeopleTable } from './PeopleTable.tsx';
import { ShareTable } from './ShareTable.tsx';

type Usage = NonNullable<Outputs['insights']['templates']['report']>;

interface Props {
  readonly period: Period;
  readonly interval: 'day' | 'week';
  /** Only these templates; all whose insights the person may see without it. */
  readonly templates?: readonly string[];
  /** Further facts for the head of the report. */
  readonly facts?: readonly (readonly [name: string, value: React.ReactNode])[];
}

/** Who used workspaces in a period, for how long and for what, and with which parameters they were made. */
export function InsightsReport({ period, interval, templates, facts = [] }: Props): React.JSX.Element {
  const about = {
    start_time: period.start_time,
    end_time: period.end_time,
    ...(templates === undefined ? {} : { template_ids: [...templates] }),
  };
  const insights = useQuery(trpc.insights.templates.queryOptions({ ...about, interval }, { placeholderData: keepPreviousData }));
  const activity = useQuery(trpc.insights.userActivity.queryOptions(about, { placeholderData: keepPreviousData }));
  const latency = useQuery(trpc.insights.userLatency.queryOptions(about, { placeholderData: keepPreviousData }));
  const failed = [insights, activity, latency].find(({ isError }) => isError);
  if (failed !== undefined) {
    return <ErrorNotice error={failed.error} title="The insights could not be loaded" onRetry={() => void failed.refetch()} />;
  }
  if (insights.data === undefined || insights.data.report === null || activity.data === undefined || latency.data === undefined) {
    return (
      <Stack aria-busy="true">
        <Skeleton height={90} radius="md" />
        <Skeleton height={280} radius="md" />
      </Stack>
    );
  }
  const { report, interval_reports: intervals } = insights.data;
  const seconds = activity.data.report.users.reduce((sum, user) => sum + user.seconds, 0);
  return (
    <Stack style={{ opacity: insights.isPlaceholderData ? 0.6 : 1 }}>
      <Box className="surface" p="lg">
        <Facts
          facts={[['Active developers', report.active_users.toLocaleString('en')], ['Time in workspaces', usageTime(seconds)], ...facts]}
        />
      </Box>
      <Section
        title={interval === 'day' ? 'Active developers per day' : 'Active developers per week'}
        description="People who had a terminal, an app or a connection open."
      >
        <BarChart
          label="Active developers"
          unit={interval === 'day' ? 'Day' : 'Week from'}
          bars={intervals.map(({ start_time: start, active_users: value }) => ({
            key: start,
            label: shortDay(start),
            title: longDay(start),
            value,
          }))}
        />
      </Section>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title="What was used" description="Time of all people together.">
          <ShareTable
            label="Time by app"
            columns={['App', 'Time']}
            empty="Nothing was used in this period."
            rows={report.apps_usage
              .filter(({ seconds: used }) => used > 0)
              .toSorted((one, other) => other.seconds - one.seconds)
              .map((app) => ({
                key: `${app.type}:${app.slug}`,
                name: app.display_name === '' ? app.slug : app.display_name,
                value: app.seconds,
                text: usageTime(app.seconds),
              }))}
          />
        </Section>
        <Section title="Who used it">
          <PeopleTable people={activity.data.report.users} latencies={latency.data.report.users} />
        </Section>
      </SimpleGrid>
      <Parameters usage={report} />
    </Stack>
  );
}

function valueWords({ type, options }: Usage['parameters_usage'][number], value: string): string {
  const option = options.find((known) => known.value === value);
  if (option !== undefined) return option.name;
  if (value === '') return 'empty';
  return type === 'bool' ? (value === 'true' ? 'Yes' : 'No') : value;
}

function Parameters({ usage }: { usage: Usage }): React.JSX.Element | null {
  if (usage.parameters_usage.length === 0) return null;
  return (
    <Section title="Parameters" description="What the workspaces that were started in this period were started with.">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        {usage.parameters_usage.map((parameter) => {
          const title = parameter.display_name === '' ? parameter.name : parameter.display_name;
          return (
            <Stack key={`${parameter.name}:${parameter.type}`} gap={4}>
              <Text size="sm" fw={600}>
                {title}
              </Text>
              <ShareTable
                label={`Values of ${title}`}
                columns={['Value', 'Workspaces']}
                empty="No workspace was started with it."
                rows={parameter.values.map(({ value, count }) => ({
                  key: value,
                  name: valueWords(parameter, value),
                  value: count,
                  text: count.toLocaleString('en'),
                }))}
              />
            </Stack>
          );
        })}
      </SimpleGrid>
    </Section>
  );
}
