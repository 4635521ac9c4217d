import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factsAt } from './arbitraries.ts';
import type { ScheduleFacts } from './facts.ts';
import type { ScheduleEvent } from './future-events.ts';
import { futureEvents } from './future-events.ts';
import { SCHEDULE_RULES, dueRules } from './rules.ts';

const now = new Date('2027-01-13T12:00:00Z');
const NEVER = new Date('2100-01-01T00:00:00Z');

/** What the loop does next to a workspace that nobody touches: the first moment at which a rule holds. */
function acts(event: ScheduleEvent, { workspace, build }: ScheduleFacts): boolean {
  switch (event.kind) {
    case 'must_stop':
      return false;
    case 'autostart':
      // Of a workspace that runs it is the start after the stop.
      return build?.transition === 'stop';
    case 'delete':
      return workspace.dormantAt !== null;
    case 'autostop':
    case 'failure_stop':
    case 'dormant':
      return true;
  }
}

describe('the rules', () => {
  test('hold for nothing whose build is under way, and for nothing that is deleted or was never built', () => {
    fc.assert(
      fc.property(factsAt(now), (facts) => {
        const status = facts.build?.status;
        const isBusy = status === undefined || status === 'pending' || status === 'running' || status === 'canceling';
        if (isBusy) expect(dueRules(facts, NEVER)).toEqual([]);
        const { build } = facts;
        if (build === null) return;
        expect(dueRules({ ...facts, build: { ...build, transition: 'delete', status: 'succeeded' } }, NEVER)).toEqual([]);
      }),
    );
  });

  test('once they hold, hold until something happens, and are asked in their order', () => {
    fc.assert(
      fc.property(factsAt(now), fc.nat({ max: 90 * 24 }), (facts, hours) => {
        const first = dueRules(facts, now);
        const later = dueRules(facts, new Date(now.getTime() + hours * 3_600_000));
        expect(first.every((rule) => later.includes(rule))).toBe(true);
        expect(later).toEqual(SCHEDULE_RULES.filter((rule) => later.includes(rule)));
      }),
    );
  });

  test('never start what is dormant, or whose owner is not active', () => {
    fc.assert(
      fc.property(factsAt(now), (facts) => {
        if (facts.workspace.dormantAt !== null || facts.ownerStatus !== 'active') expect(dueRules(facts, NEVER)).not.toContain('autostart');
      }),
    );
  });

  test('happen exactly when the list of what is to come says', () => {
    fc.assert(
      fc.property(factsAt(now), (facts) => {
        const events = futureEvents(facts, now);
        expect(events.every(({ time }) => time >= now)).toBe(true);
        expect(events.map(({ time }) => time.getTime())).toEqual(events.map(({ time }) => time.getTime()).toSorted((a, b) => a - b));
        const isBusy = dueRules(facts, NEVER).length === 0;
        const next = events.find((event) => acts(event, facts));
        if (isBusy || next === undefined) return;
        expect(dueRules(facts, next.time)).not.toEqual([]);
        if (next.time > now) expect(dueRules(facts, new Date(next.time.getTime() - 1))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('that will hold some day are all in the list', () => {
    fc.assert(
      fc.property(factsAt(now), (facts) => {
        if (dueRules(facts, NEVER).length > 0) expect(futureEvents(facts, now)).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
