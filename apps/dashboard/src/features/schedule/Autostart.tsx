import { Button, Group, List, Select, Stack, Text, TextInput } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import type { Weekday } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { useNow } from '../../ui/clock.ts';
import { DayPicker } from '../../ui/DayPicker.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { UnsavedGuard } from '../../ui/LeaveGuard.tsx';
import { Section } from '../account/Section.tsx';
import type { AutostartValues } from './autostart-form.ts';
import { autostartOf, defaultAutostart, nextTimes, scheduleOf } from './autostart-form.ts';
import { useWorkspaceChange } from './use-workspace-change.ts';
import { OWN_ZONE, ZONES } from './zones.ts';

interface Props {
  readonly workspace: Workspace;
  /** Whether the template lets people have a schedule. */
  readonly isAllowed: boolean;
  /** Days on which the template lets workspaces start. */
  readonly allowedDays: readonly Weekday[] | undefined;
  readonly mayChange: boolean;
}

/** When a workspace starts by itself. */
export function Autostart({ workspace, isAllowed, allowedDays, mayChange }: Props): React.JSX.Element {
  const schedule = workspace.autostart_schedule ?? '';
  const known = schedule === '' ? null : autostartOf(schedule);
  const [values, setValues] = useState<AutostartValues | null>(known);
  const show = useWorkspaceChange(workspace);
  const now = useNow();
  const save = useMutation(
    trpc.workspaces.updateAutostart.mutationOptions({
      onSuccess: async (_answer, { schedule: next }) => {
        notifyDone(
          next === null || next === undefined || next === '' ? 'It starts only when somebody starts it.' : 'Its schedule is saved.',
        );
        await show({ autostart_schedule: next === '' ? null : (next ?? null) });
      },
    }),
  );
  const next = values === null ? null : scheduleOf(values);
  // By what it says, since one schedule can be written in several ways.
  const isUnchanged = known !== null && next === scheduleOf(known);
  const shownSchedule = next ?? (known === null ? schedule : '');
  const skipped = values === null || allowedDays === undefined ? [] : values.days.filter((day) => !allowedDays.includes(day));
  const change = (part: Partial<AutostartValues>): void => setValues((before) => ({ ...(before ?? defaultAutostart(OWN_ZONE)), ...part }));
  return (
    <Section title="Start by itself" description="So that it is there when you come. What it starts with is what it was last built with.">
      {!isAllowed ? (
        <Text size="sm" c="dimmed">
          The template of this workspace allows no schedule.
        </Text>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (next !== null) save.mutate({ workspace: workspace.id, schedule: next });
          }}
        >
          <Stack maw={560}>
            <UnsavedGuard isDirty={values !== null && !isUnchanged} />
            <Refusal error={save.error} fields={[]} />
            {values === null ? (
              <Text size="sm">
                {schedule === '' ? 'It starts only when somebody starts it.' : `It has a schedule of several times: ${schedule}`}
              </Text>
            ) : (
              <fieldset disabled={!mayChange} style={{ margin: 0, padding: 0, border: 0 }}>
                <Stack>
                  <Group align="flex-start">
                    <TextInput
                      type="time"
                      label="At"
                      w={130}
                      required
                      value={values.time}
                      onChange={(event) => change({ time: event.currentTarget.value })}
                    />
                    <Select
                      flex="1 1 200px"
                      label="By the clock of"
                      searchable
                      allowDeselect={false}
                      disabled={!mayChange}
                      data={ZONES.includes(values.zone) ? ZONES : [values.zone, ...ZONES]}
                      limit={100}
                      nothingFoundMessage="No such time zone"
                      value={values.zone}
                      onChange={(zone) => change({ zone: zone ?? values.zone })}
                    />
                  </Group>
                  <DayPicker label="On" value={values.days} onChange={(days) => change({ days })} />
                  {skipped.length > 0 && (
                    <Text size="sm" c="dimmed">
                      Its template lets nothing start on{' '}
                      {skipped.map((day) => day.replace(/^./, (first) => first.toUpperCase())).join(', ')}.
                    </Text>
                  )}
                </Stack>
              </fieldset>
            )}
            {shownSchedule !== '' && (
              <div>
                <Text size="sm" fw={500} id="next-starts">
                  The next times
                </Text>
                <List size="sm" aria-labelledby="next-starts" data-testid="next-starts">
                  {nextTimes(shownSchedule, new Date(now)).map((time) => (
                    <List.Item key={time.getTime()} className="tabular">
                      {exactTime(time.toISOString())}
                    </List.Item>
                  ))}
                </List>
              </div>
            )}
            {mayChange && (
              <Group>
                {values === null ? (
                  // Keys keep the two apart: one button that becomes the other under the click would send the form at once.
                  <Button key="begin" variant="default" onClick={() => setValues(defaultAutostart(OWN_ZONE))}>
                    {schedule === '' ? 'Set a schedule' : 'Set another schedule'}
                  </Button>
                ) : (
                  <Button key="save" type="submit" disabled={next === null || isUnchanged} loading={save.isPending}>
                    Save the schedule
                  </Button>
                )}
                {schedule !== '' && (
                  <Button
                    variant="default"
                    loading={save.isPending}
                    onClick={() => save.mutate({ workspace: workspace.id, schedule: null })}
                  >
                    Remove it
                  </Button>
                )}
              </Group>
            )}
          </Stack>
        </form>
      )}
    </Section>
  );
}
