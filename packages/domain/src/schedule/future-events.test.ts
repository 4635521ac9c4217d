import { describe, expect, test } from 'vitest';
import type { ScheduleFacts } from './facts.ts';
import { futureEvents } from './future-events.ts';
import { effectiveQuietHours } from './quiet-hours.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const now = new Date('2027-01-13T12:00:00Z');
const at = (text: string): Date => new Date(text);

const WORKSPACE: ScheduleFacts['workspace'] = {
  ttlMs: 8 * HOUR_MS,
  autostartSchedule: null,
  autostartSince: null,
  automaticUpdates: 'never',
  lastUsedAt: now,
  dormantAt: null,
  deletingAt: null,
};
const TEMPLATE: ScheduleFacts['template'] = {
  defaultTtlMs: 0,
  activityBumpMs: HOUR_MS,
  failureTtlMs: 0,
  timeTilDormantMs: 0,
  timeTilDormantAutodeleteMs: 0,
  autostopRequirement: { daysOfWeek: 0, weeks: 1 },
  autostartDaysOfWeek: 0b111_1111,
  allowUserAutostart: true,
  allowUserAutostop: true,
  requireActiveVersion: false,
};
const RUNNING: NonNullable<ScheduleFacts['build']> = {
  transition: 'start',
  status: 'succeeded',
  createdAt: now,
  completedAt: now,
  deadline: at('2027-01-13T20:00:00Z'),
  deadlineRule: 'ttl',
  maxDeadline: null,
};
const STOPPED = { ...RUNNING, transition: 'stop', deadline: null, deadlineRule: '' } as const;

interface Change {
  readonly workspace?: Partial<ScheduleFacts['workspace']>;
  readonly template?: Partial<ScheduleFacts['template']>;
  readonly build?: Partial<NonNullable<ScheduleFacts['build']>>;
  readonly ownerStatus?: ScheduleFacts['ownerStatus'];
}

function eventsOf({ workspace = {}, template = {}, build = {}, ownerStatus = 'active' }: Change) {
  return futureEvents(
    {
      ownerStatus,
      quietHours: effectiveQuietHours({ own: 'CRON_TZ=Europe/Lisbon 30 22 * * *', deployment: '' }),
      workspace: { ...WORKSPACE, ...workspace },
      template: { ...TEMPLATE, ...template },
      build: { ...RUNNING, ...build },
    },
    now,
  );
}

describe('what is to come', () => {
  test.each([
    ['ttl', 'ttl_ms', 8 * HOUR_MS],
    ['template_ttl', 'default_ttl_ms', 4 * HOUR_MS],
    ['autostart', 'autostart_schedule', '0 9 * * *'],
    ['extended', '', null],
    ['activity', 'activity_bump_ms', HOUR_MS],
    ['autostop_requirement', 'autostop_requirement', 'monday, friday every 2 weeks at 22:30 Europe/Lisbon'],
  ] as const)('names the setting behind a deadline by %s, and its value', (deadlineRule, setting, value) => {
    const template = { defaultTtlMs: 4 * HOUR_MS, autostopRequirement: { daysOfWeek: 0b001_0001, weeks: 2 }, allowUserAutostart: false };
    expect(eventsOf({ workspace: { autostartSchedule: '0 9 * * *' }, template, build: { deadlineRule } })).toEqual([
      { kind: 'autostop', time: RUNNING.deadline, rule: deadlineRule, setting, value },
    ]);
  });

  test('has the latest stop beside the deadline, and the start after it', () => {
    const maxDeadline = at('2027-01-14T22:30:00Z');
    const events = eventsOf({
      workspace: { autostartSchedule: '0 9 * * *' },
      template: { autostopRequirement: { daysOfWeek: 0b111_1111, weeks: 1 } },
      build: { maxDeadline },
    });
    expect(events).toMatchObject([
      { kind: 'autostop', time: RUNNING.deadline },
      { kind: 'autostart', time: at('2027-01-14T09:00:00Z'), rule: 'autostart', setting: 'autostart_schedule' },
      { kind: 'must_stop', time: maxDeadline, rule: 'autostop_requirement' },
    ]);
  });

  test('has no start of what runs on until then', () => {
    expect(eventsOf({ workspace: { autostartSchedule: '0 9 * * *' }, build: { deadline: null, deadlineRule: '' } })).toEqual([]);
  });

  test('goes from unused over dormant to deleted', () => {
    const template = { timeTilDormantMs: 7 * DAY_MS, timeTilDormantAutodeleteMs: 30 * DAY_MS };
    expect(eventsOf({ template, build: STOPPED })).toEqual([
      { kind: 'dormant', time: at('2027-01-20T12:00:00Z'), rule: 'time_til_dormant', setting: 'time_til_dormant_ms', value: 7 * DAY_MS },
      {
        kind: 'delete',
        time: at('2027-02-19T12:00:00Z'),
        rule: 'time_til_dormant_autodelete',
        setting: 'time_til_dormant_autodelete_ms',
        value: 30 * DAY_MS,
      },
    ]);
  });

  test('says of what is overdue that it happens now', () => {
    expect(eventsOf({ ownerStatus: 'suspended' })).toEqual([
      { kind: 'autostop', time: now, rule: 'owner_suspended', setting: '', value: null },
    ]);
    expect(eventsOf({ workspace: { dormantAt: now } })).toMatchObject([{ kind: 'autostop', time: now, rule: 'dormant' }]);
    expect(eventsOf({ build: { deadline: at('2027-01-13T11:00:00Z') } })).toMatchObject([{ kind: 'autostop', time: now }]);
  });

  test('has the stop after a start that failed', () => {
    const build = { status: 'failed', deadline: null, deadlineRule: '' } as const;
    expect(eventsOf({ template: { failureTtlMs: HOUR_MS }, build })).toEqual([
      { kind: 'failure_stop', time: at('2027-01-13T13:00:00Z'), rule: 'failure_ttl', setting: 'failure_ttl_ms', value: HOUR_MS },
    ]);
    expect(eventsOf({ build })).toEqual([]);
  });
});
