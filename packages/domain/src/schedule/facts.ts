import type { AutomaticUpdates, DeadlineRule, JobStatus, Transition, UserStatus } from '../enums.ts';
import type { QuietHours } from './quiet-hours.ts';

/** When a template demands that its workspaces stop: at the owner's quiet hours on these days, every so many weeks. */
export interface AutostopRequirement {
  /** Mask; bit 0 is Monday. 0 demands nothing. */
  readonly daysOfWeek: number;
  /** 1 to 16; 0 counts as 1. */
  readonly weeks: number;
}

/** Everything that decides when something happens to a workspace by itself. Lengths in milliseconds, 0 is none. */
export interface ScheduleFacts {
  /** A deleted owner counts as suspended. */
  readonly ownerStatus: UserStatus;
  readonly quietHours: QuietHours;
  readonly workspace: {
    readonly ttlMs: number | null;
    readonly autostartSchedule: string | null;
    /** Since when the schedule holds; null: since the latest build. */
    readonly autostartSince: Date | null;
    readonly automaticUpdates: AutomaticUpdates;
    readonly lastUsedAt: Date;
    readonly dormantAt: Date | null;
    readonly deletingAt: Date | null;
  };
  readonly template: {
    readonly defaultTtlMs: number;
    readonly activityBumpMs: number;
    readonly failureTtlMs: number;
    readonly timeTilDormantMs: number;
    readonly timeTilDormantAutodeleteMs: number;
    readonly autostopRequirement: AutostopRequirement;
    /** Mask; bit 0 is Monday. */
    readonly autostartDaysOfWeek: number;
    readonly allowUserAutostart: boolean;
    readonly allowUserAutostop: boolean;
    readonly requireActiveVersion: boolean;
  };
  /** The latest; null while there is none. */
  readonly build: {
    readonly transition: Transition;
    readonly status: JobStatus;
    readonly createdAt: Date;
    readonly completedAt: Date | null;
    readonly deadline: Date | null;
    readonly deadlineRule: DeadlineRule;
    readonly maxDeadline: Date | null;
  } | null;
}
