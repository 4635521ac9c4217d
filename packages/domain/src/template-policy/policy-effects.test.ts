import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SHARING_LEVELS, WEEKDAYS } from '../enums.ts';
import type { ScheduleFacts } from '../schedule/index.ts';
import { QUIET_HOURS_DEFAULT, effectiveQuietHours, futureEvents } from '../schedule/index.ts';
import { dayMask, exceedsLevel } from './limits.ts';
import type { PolicyChange, PolicyWorkspace, TemplatePolicy } from './policy-effects.ts';
import { changedFacts, policyEffects } from './policy-effects.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const length = fc.constantFrom(0, MINUTE_MS, 60 * MINUTE_MS, DAY_MS, 30 * DAY_MS);
const instant = fc.integer({ min: -40 * DAY_MS, max: 0 }).map((millis) => new Date(NOW.getTime() + millis));
const schedule: fc.Arbitrary<TemplatePolicy['schedule']> = fc.record({
  defaultTtlMs: length,
  activityBumpMs: length,
  failureTtlMs: length,
  timeTilDormantMs: length,
  timeTilDormantAutodeleteMs: length,
  autostopRequirement: fc.record({ daysOfWeek: fc.integer({ min: 0, max: 127 }), weeks: fc.integer({ min: 1, max: 16 }) }),
  autostartDaysOfWeek: fc.integer({ min: 0, max: 127 }),
  allowUserAutostart: fc.boolean(),
  allowUserAutostop: fc.boolean(),
  requireActiveVersion: fc.boolean(),
});
const policy: fc.Arbitrary<TemplatePolicy> = fc.record({ schedule, maxPortShareLevel: fc.constantFrom(...SHARING_LEVELS) });
const build: fc.Arbitrary<ScheduleFacts['build']> = fc.option(
  fc.record({
    transition: fc.constantFrom('start', 'stop', 'delete'),
    status: fc.constantFrom('pending', 'running', 'succeeded', 'failed', 'canceled'),
    createdAt: instant,
    completedAt: fc.option(instant),
    deadline: fc.option(fc.integer({ min: 0, max: 10 * DAY_MS }).map((millis) => new Date(NOW.getTime() + millis))),
    deadlineRule: fc.constantFrom('ttl', 'template_ttl', 'extended'),
    maxDeadline: fc.constant(null),
  }),
);
const facts = (template: TemplatePolicy['schedule']): fc.Arbitrary<ScheduleFacts> =>
  fc.record({
    ownerStatus: fc.constantFrom('active', 'suspended'),
    quietHours: fc.constant(effectiveQuietHours({ own: '', deployment: QUIET_HOURS_DEFAULT })),
    workspace: fc.record({
      ttlMs: fc.option(length),
      autostartSchedule: fc.option(fc.constantFrom('0 9 * * *', 'CRON_TZ=Asia/Tokyo 30 6 * * 1-5')),
      autostartSince: fc.constant(null),
      automaticUpdates: fc.constant('never' as const),
      lastUsedAt: instant,
      dormantAt: fc.option(instant),
      deletingAt: fc.option(instant),
    }),
    template: fc.constant(template),
    build,
  });

const situation: fc.Arbitrary<{ workspace: PolicyWorkspace; change: PolicyChange }> = fc
  .record({ before: policy, after: policy, resetsLastUse: fc.boolean(), resetsDormancy: fc.boolean() })
  .chain(({ before, after, ...actions }) =>
    fc.record({
      workspace: fc.record({
        facts: facts(before.schedule),
        portShares: fc.array(fc.constantFrom('authenticated' as const, 'public' as const), { maxLength: 3 }),
        isActiveVersion: fc.boolean(),
      }),
      change: fc.constant({ now: NOW, before, after, actions }),
    }),
  );

describe('what a change of a template does to a workspace', () => {
  it('is nothing when nothing changes', () => {
    fc.assert(
      fc.property(situation, ({ workspace, change }) => {
        const actions = { resetsLastUse: false, resetsDormancy: false };
        const same = { ...change, after: change.before, actions };
        const allowed = workspace.portShares.filter((level) => !exceedsLevel(level, change.before.maxPortShareLevel));
        expect(policyEffects({ ...workspace, portShares: allowed }, same)).toEqual([]);
      }),
    );
  });

  it('is each event that moves, comes or goes, with both its times, and none that stays', () => {
    fc.assert(
      fc.property(situation, ({ workspace, change }) => {
        const effects = policyEffects(workspace, change);
        const before = futureEvents(workspace.facts, NOW);
        const after = futureEvents(changedFacts(workspace.facts, change), NOW);
        for (const kind of new Set([...before, ...after].map((event) => event.kind))) {
          const [was, becomes] = [before, after].map((events) => events.find((event) => event.kind === kind)?.time ?? null);
          const effect = effects.find((one) => one.kind === kind);
          if (was?.getTime() === becomes?.getTime()) expect(effect).toBeUndefined();
          else expect(effect).toMatchObject({ before: was, after: becomes });
        }
      }),
    );
  });

  it('never stops what runs sooner than in two hours by a new requirement', () => {
    fc.assert(
      fc.property(situation, ({ workspace, change }) => {
        const stop = policyEffects(workspace, change).find(({ kind }) => kind === 'autostop');
        if (stop?.after === undefined || stop.after === null || stop.rule !== 'autostop_requirement') return;
        expect(stop.after.getTime()).toBeGreaterThanOrEqual(NOW.getTime() + 120 * MINUTE_MS);
      }),
    );
  });

  it('says each kind at most once, in a sentence', () => {
    fc.assert(
      fc.property(situation, ({ workspace, change }) => {
        const effects = policyEffects(workspace, change);
        expect(new Set(effects.map(({ kind }) => kind)).size).toBe(effects.length);
        for (const { detail } of effects) expect(detail).toMatch(/^[A-Z0-9].*\.$/);
      }),
    );
  });
});

describe('days and levels', () => {
  it('a mask has the bit of each day, Monday first', () => {
    expect(dayMask([])).toBe(0);
    expect(dayMask(['monday', 'sunday', 'monday'])).toBe(0b100_0001);
    expect(dayMask(WEEKDAYS)).toBe(127);
  });

  it('a level exceeds those that let in fewer people', () => {
    expect(SHARING_LEVELS.map((level) => exceedsLevel(level, 'authenticated'))).toEqual([false, false, true]);
  });
});
