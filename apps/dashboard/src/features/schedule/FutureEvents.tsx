import { Text, ThemeIcon, Timeline } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import type { Workspace } from '@berth/api/contract/workspaces';
import { exactTime } from '../../ui/relative-time.ts';
import { When } from '../../ui/When.tsx';
import { Section } from '../account/Section.tsx';
import { EVENT_LOOKS } from './event-looks.tsx';
import { ExtendDeadline } from './ExtendDeadline.tsx';
import type { Schedule } from './schedule-words.ts';
import { EVENT_NAMES, ruleSentence } from './schedule-words.ts';
import { useScheduleLine } from './use-schedule-line.ts';
import { WeekLine } from './WeekLine.tsx';

interface Props {
  readonly workspace: Workspace;
  readonly schedule: Schedule;
  /** Undefined for who may not see it. */
  readonly template: Template | undefined;
  readonly mayChange: boolean;
}

/** A line into the future: what will happen by itself, and the rule behind each. */
export function FutureEvents({ workspace, schedule, template, mayChange }: Props): React.JSX.Element {
  const line = useScheduleLine({ workspace, schedule, template });
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
      {(line.events.length > 0 || line.running.length > 0) && <WeekLine line={line} />}
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
                <ThemeIcon size={22} radius="xl" variant="light" color={EVENT_LOOKS[event.kind].color} aria-hidden>
                  {EVENT_LOOKS[event.kind].icon}
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
