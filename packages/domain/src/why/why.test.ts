import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { JOB_ERROR_CODES, JOB_STATUSES, PROVISIONER_TYPES } from '../enums.ts';
import { quotaProblem } from '../quota.ts';
import type { FailureFacts, WaitingFacts, WhyFacts } from './why.ts';
import { WHY_ACTIONS, WHY_KINDS, why } from './why.ts';
import { estimateSeconds } from './why-waiting.ts';

const count = fc.nat({ max: 50 });
/** Daemons whose slots agree with how many there are of them. */
const daemons = fc.record({ free: count, busy: count, draining: count, offline: count, more: count, freeMore: count }).map((given) => ({
  free: given.free,
  busy: given.busy,
  draining: given.draining,
  offline: given.offline,
  freeSlots: given.free === 0 ? 0 : given.free + given.freeMore,
  slots: given.free + given.busy === 0 ? 0 : given.free + given.busy + given.more + (given.free === 0 ? 0 : given.freeMore),
}));
const waiting: fc.Arbitrary<WaitingFacts> = fc.record({
  provisioner: fc.constantFrom(...PROVISIONER_TYPES),
  tags: fc.dictionary(fc.constantFrom('scope', 'owner', 'region', 'gpu'), fc.string({ maxLength: 8 })),
  daemons,
  position: fc.integer({ min: 1, max: 500 }),
  typicalSeconds: fc.option(fc.float({ min: 0, max: 7200, noNaN: true })),
});
const failure: fc.Arbitrary<FailureFacts> = fc.record({
  error: fc.string(),
  errorCode: fc.constantFrom(...JOB_ERROR_CODES),
  firstError: fc.option(fc.record({ stage: fc.string(), output: fc.string() })),
  lastStage: fc.string(),
  isLost: fc.boolean(),
  changed: fc.option(
    fc.record({
      sinceBuildNumber: fc.integer({ min: 1 }),
      version: fc.option(fc.record({ from: fc.string(), to: fc.string() })),
      parameters: fc.array(fc.string()),
      state: fc.boolean(),
    }),
  ),
  hasNewerVersion: fc.boolean(),
});
const facts: fc.Arbitrary<WhyFacts> = fc.record({
  subject: fc.constantFrom('build' as const, 'import' as const),
  status: fc.constantFrom(...JOB_STATUSES),
  waiting,
  failure,
});

test('whatever the facts, there is one kind, one action and one line to read', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const answer = why(given);
      expect(WHY_KINDS).toContain(answer.kind);
      expect(WHY_ACTIONS).toContain(answer.action);
      expect(answer.sentence).toMatch(/^\S/);
      expect(answer.sentence).not.toContain('undefined');
      expect(answer.kind.startsWith('waiting_')).toBe(given.status === 'pending');
      expect(answer.kind === 'failed').toBe(given.status === 'failed' || given.status === 'unknown');
      if (given.status !== 'pending') expect(answer.estimateSeconds).toBeNull();
      // There is something to do about everything but what went well.
      expect(answer.action === 'none').toBe(given.status === 'succeeded');
    }),
  );
});

test('an estimate never grows with more hands, never shrinks with more jobs ahead, and is nothing while a hand is free', () => {
  fc.assert(
    fc.property(waiting, (given) => {
      const now = estimateSeconds(given);
      if (given.daemons.slots === 0) {
        expect(now).toBeNull();
        return;
      }
      if (given.position <= given.daemons.freeSlots) {
        expect(now).toBe(0);
        return;
      }
      if (given.typicalSeconds === null) {
        expect(now).toBeNull();
        return;
      }
      expect(now).toBeGreaterThanOrEqual(0);
      const later = estimateSeconds({ ...given, position: given.position + 1 });
      const faster = estimateSeconds({
        ...given,
        daemons: { ...given.daemons, busy: given.daemons.busy + 1, slots: given.daemons.slots + 1 },
      });
      expect(later ?? 0).toBeGreaterThanOrEqual(now ?? 0);
      expect(faster ?? 0).toBeLessThanOrEqual(now ?? 0);
    }),
  );
});

const base: WaitingFacts = {
  provisioner: 'terraform',
  tags: { scope: 'organization', owner: '' },
  daemons: { free: 0, busy: 0, draining: 0, offline: 0, slots: 0, freeSlots: 0 },
  position: 1,
  typicalSeconds: 60,
};
const sentence = (given: Partial<WaitingFacts>) => {
  const answer = why({ subject: 'build', status: 'pending', waiting: { ...base, ...given }, failure: failed });
  return [answer.kind, answer.action, answer.sentence];
};
const failed: FailureFacts = {
  error: 'exit status 1',
  errorCode: '',
  firstError: null,
  lastStage: 'plan',
  isLost: false,
  changed: null,
  hasNewerVersion: false,
};

describe('a waiting build', () => {
  it('says what no provisioner offers', () => {
    expect(sentence({})).toEqual([
      'waiting_no_provisioner',
      'add_provisioner',
      'No provisioner can take this build: it needs one for terraform without tags.',
    ]);
    expect(sentence({ tags: { ...base.tags, region: 'eu', gpu: 'yes' } })[2]).toBe(
      'No provisioner can take this build: it needs one for terraform with the tags gpu=yes, region=eu.',
    );
  });

  it('says that those who could are away', () => {
    expect(sentence({ daemons: { ...base.daemons, offline: 1 } })).toEqual([
      'waiting_provisioner_offline',
      'start_provisioner',
      'The only provisioner that can take this build is offline.',
    ]);
    expect(sentence({ daemons: { ...base.daemons, offline: 1, draining: 1 } })[2]).toBe(
      'All 2 provisioners that can take this build are offline or shutting down.',
    );
  });

  it('says that all are busy, or who is ahead, and how long it may take', () => {
    const busy = { ...base.daemons, busy: 3, slots: 3 };
    expect(sentence({ daemons: busy, typicalSeconds: 30 })).toEqual([
      'waiting_busy',
      'wait',
      'All 3 provisioners that can take this build are busy; this build is next in less than a minute.',
    ]);
    expect(sentence({ daemons: busy, position: 7, typicalSeconds: 60 })).toEqual([
      'waiting_queue',
      'wait',
      '6 jobs are ahead of this build; 3 provisioners take them in turn. It should start in about 2 minutes.',
    ]);
    expect(sentence({ daemons: { ...busy, free: 1, freeSlots: 1, slots: 4 } })[0]).toBe('waiting_pickup');
  });
});

describe('a failed build', () => {
  const of = (given: Partial<FailureFacts>) => why({ subject: 'build', status: 'failed', waiting: base, failure: { ...failed, ...given } });

  it('names its first error, where it was, and what changed since it last worked', () => {
    const changed = { sinceBuildNumber: 4, version: { from: 'old', to: 'new' }, parameters: ['disk'], state: false };
    expect(of({ firstError: { stage: 'apply', output: 'no space left\nmore' }, changed })).toMatchObject({
      sentence:
        'The build failed in the stage “apply”: no space left. Since build 4, which succeeded, the template version changed from old to new and the parameter disk changed.',
      action: 'fix_parameters',
    });
  });

  it('names the one thing that helps', () => {
    const nothing = { sinceBuildNumber: 1, version: null, parameters: [], state: false };
    expect(of({ error: quotaProblem({ cost: 1, consumed: 2, allowance: 2 }), isLost: true }).action).toBe('raise_quota');
    expect(of({ errorCode: 'REQUIRED_TEMPLATE_VARIABLES' }).action).toBe('set_variables');
    expect(of({ isLost: true }).action).toBe('retry');
    expect(of({ changed: nothing }).action).toBe('retry');
    expect(of({ changed: nothing, hasNewerVersion: true }).action).toBe('update');
    expect(of({}).action).toBe('view_logs');
  });
});
