import { Button, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Page } from '../../ui/Page.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { UnsavedGuard } from '../../ui/LeaveGuard.tsx';
import { ZONES } from '../schedule/zones.ts';
import { Section } from './Section.tsx';

type QuietHours = Outputs['quietHours']['get'][number];

/** When one's workspaces may be stopped for maintenance. */
export function QuietHoursPage(): React.JSX.Element {
  const list = useQuery(trpc.quietHours.get.queryOptions({ user: 'me' }));
  const hours = list.data?.[0];
  return (
    <Page
      title="Quiet hours"
      subtitle="Some templates want their workspaces stopped from time to time. That happens when you are not at work."
    >
      {list.isError ? (
        <ErrorNotice error={list.error} title="Your quiet hours could not be loaded" onRetry={() => void list.refetch()} />
      ) : hours === undefined ? (
        <Skeleton height={220} radius="md" />
      ) : (
        <QuietHoursForm key={hours.raw_schedule} hours={hours} />
      )}
    </Page>
  );
}

function QuietHoursForm({ hours }: { hours: QuietHours }): React.JSX.Element {
  const queryClient = useQueryClient();
  const [time, setTime] = useState(hours.time);
  const [zone, setZone] = useState(hours.timezone);
  const save = useMutation(
    trpc.quietHours.update.mutationOptions({
      onSuccess: (saved) => {
        queryClient.setQueryData(trpc.quietHours.get.queryKey({ user: 'me' }), saved);
        notifyDone('Your quiet hours are saved.');
      },
    }),
  );
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  const schedule = hour === undefined || minute === undefined ? null : `CRON_TZ=${zone} ${Number(minute)} ${Number(hour)} * * *`;
  return (
    <Section
      title="They begin at"
      description={
        <>
          Next at {exactTime(hours.next)}. {hours.user_set ? 'You chose this.' : 'This is what everybody has who chose nothing.'} Stops that
          are set already do not move.
        </>
      }
    >
      {!hours.user_can_set ? (
        <Text size="sm">
          This server has the same quiet hours for everybody: {hours.time}, {hours.timezone}.
        </Text>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (schedule !== null) save.mutate({ user: 'me', schedule });
          }}
        >
          <Stack maw={480}>
            <UnsavedGuard isDirty={time !== hours.time || zone !== hours.timezone} />
            <Refusal error={save.error} />
            <Group align="flex-start">
              <TextInput type="time" label="Time" w={130} required value={time} onChange={(event) => setTime(event.currentTarget.value)} />
              <Select
                flex="1 1 200px"
                label="By the clock of"
                searchable
                allowDeselect={false}
                limit={100}
                data={ZONES.includes(zone) ? ZONES : [zone, ...ZONES]}
                nothingFoundMessage="No such time zone"
                value={zone}
                onChange={(next) => setZone(next ?? zone)}
              />
            </Group>
            <Group>
              <Button
                type="submit"
                disabled={schedule === null || (time === hours.time && zone === hours.timezone)}
                loading={save.isPending}
              >
                Save
              </Button>
              {hours.user_set && (
                <Button variant="default" loading={save.isPending} onClick={() => save.mutate({ user: 'me', schedule: '' })}>
                  Back to the default
                </Button>
              )}
            </Group>
          </Stack>
        </form>
      )}
    </Section>
  );
}
