import type { Template } from '@berth/api/contract/templates';
import type { Workspace } from '@berth/api/contract/workspaces';
import { effectiveTtlMs } from '@berth/domain';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { trpc } from '../../api/trpc.ts';
import { useNow } from '../../ui/clock.ts';
import type { ScheduleLine } from './schedule-line.ts';
import { lineOf } from './schedule-line.ts';
import type { Schedule } from './schedule-words.ts';

const MINUTE_MS = 60_000;

interface Options {
  readonly workspace: Workspace;
  readonly schedule: Schedule;
  /** Undefined for who may not see it. */
  readonly template: Template | undefined;
}

/** The next week of a workspace, as far as who looks may know: quiet hours of others are theirs. */
export function useScheduleLine({ workspace, schedule, template }: Options): ScheduleLine {
  const quiet = useQuery(trpc.quietHours.get.queryOptions({ user: workspace.owner_id }, { retry: false }));
  const quietHours = quiet.data?.[0]?.raw_schedule ?? null;
  // Moved once a minute: nobody sees less of a week.
  const now = Math.floor(useNow() / MINUTE_MS) * MINUTE_MS;
  const { autostart_schedule: autostart, ttl_ms: ttlMs, latest_build: build } = workspace;
  return useMemo(
    () =>
      lineOf({
        now,
        events: schedule.events,
        isRunning: build.status === 'running' || build.status === 'starting',
        autostart,
        allowedDays: template?.autostart_requirement.days_of_week,
        ttlMs: effectiveTtlMs({
          ttlMs,
          templateDefaultTtlMs: template?.default_ttl_ms ?? null,
          allowUserAutostop: template?.allow_user_autostop ?? true,
        }),
        quietHours,
      }),
    [now, schedule.events, build.status, autostart, ttlMs, template, quietHours],
  );
}
