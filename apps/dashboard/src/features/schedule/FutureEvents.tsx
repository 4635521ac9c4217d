import { Text, ThemeIcon, Timeline } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconCalendar, IconFlame, IconMoon, IconPlayerPlay, IconPlayerStop, IconTool } from '@tabler/icons-react';
import { exactTime } from '../../ui/relative-time.ts';
import { When } from '../../ui/When.tsx';
import { Section } from '../account/Section.tsx';
import { ExtendDeadline } from './ExtendDeadline.tsx';
import type { Schedule, ScheduledEvent } from './schedule-words.ts';
import { EVENT_NAMES, ruleSentence } from './schedule-words.ts';

const LOOKS = {
  autostart: { color: 'green', icon: <IconPlayerPlay size={14} /> },
  autostop: { color: 'blue', icon: <IconPlayerStop size={14} /> },
  must_stop: { color: 'orange', icon: <IconCalendar size={14} /> },
  failure_stop: { color: 'orange', icon: <IconTool size={14} /> },
  dormant: { color: 'violet', icon: <IconMoon size={14} /> },
  delete: { color: 'red', icon: <IconFlame size={14} /> },
} as const satisfies Record<ScheduledEvent['kind'], { color: string; icon: React.ReactNode }>;

interface Props {
  readonly workspace: Workspace;
  readonly schedule: Schedule;
  readonly mayChange: boolean;
}

/** A line into the future: what will happen by itself, and the rule behind each. */
export function FutureEvents({ workspace, schedule, mayChange }: Props): React.JSX.Element {
  const mayExtend = mayChange && workspace.latest_build.status === 'running' && schedule.deadline !== null;
  return (
    <Section
      title="What comes next"
      description="What will happen by itself if nobody does anything before."
      actions={
        mayExtend &&
        schedule.deadline !== null && (
          <ExtendDeadline workspace={workspace} deadline={schedule.deadline} maxDeadline={schedule.max_deadline} />
        )
      }
    >
      {schedule.events.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing: it stays as it is until somebody changes that.
        </Text>
      ) : (
        <Timeline bulletSize={26} lineWidth={2} active={-1} aria-label="What comes next" role="list">
          {schedule.events.map((event) => (
            <Timeline.Item
              key={`${event.kind} ${event.time}`}
              role="listitem"
              bullet={
                <ThemeIcon size={22} radius="xl" variant="light" color={LOOKS[event.kind].color} aria-hidden>
                  {LOOKS[event.kind].icon}
                </ThemeIcon>
              }
              title={
                <Text size="sm" fw={600}>
                  {EVENT_NAMES[event.kind]} <When at={event.time} />
                </Text>
              }
            >
              <Text size="xs" c="dimmed" className="tabular">
                {exactTime(event.time)}
              </Text>
              <Text size="sm" className="wrap-anywhere">
                {ruleSentence(event)}
              </Text>
            </Timeline.Item>
          ))}
        </Timeline>
      )}
    </Section>
  );
}
