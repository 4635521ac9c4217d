import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allowedTransitions,
  buildFactsOfStatus,
  buildProblem,
  buildStatus,
  cancelProblem,
  isBuildActive,
  isJobActive,
  JOB_STATUS_TRANSITIONS,
  jobStatus,
  workspaceStatus,
} from './build-states.ts';
import type { JobStatus, Transition, WorkspaceStatus } from './enums.ts';
import { JOB_STATUSES, TRANSITIONS, WORKSPACE_STATUSES } from './enums.ts';

const at = new Date('2026-01-01T00:00:00Z');
const job = (facts: { started?: true; completed?: true; canceled?: true; error?: string }) => ({
  startedAt: facts.started ? at : null,
  completedAt: facts.completed ? at : null,
  canceledAt: facts.canceled ? at : null,
  error: facts.error ?? null,
});

test.each<[JobStatus, Parameters<typeof job>[0]]>([
  ['pending', {}],
  ['pending', { error: '' }],
  ['running', { started: true }],
  ['canceling', { started: true, canceled: true }],
  ['canceled', { canceled: true, completed: true }],
  ['canceled', { started: true, canceled: true, completed: true }],
  ['failed', { started: true, completed: true, error: 'x' }],
  ['failed', { started: true, canceled: true, completed: true, error: 'x' }],
  ['failed', { error: 'x' }],
  ['succeeded', { started: true, completed: true }],
])('a job is %s given %j', (status, facts) => {
  expect(jobStatus(job(facts))).toBe(status);
});

describe('status of a workspace', () => {
  test.each<[WorkspaceStatus, JobStatus, Transition]>([
    ['pending', 'pending', 'start'],
    ['pending', 'pending', 'delete'],
    ['starting', 'running', 'start'],
    ['stopping', 'running', 'stop'],
    ['deleting', 'running', 'delete'],
    ['running', 'succeeded', 'start'],
    ['stopped', 'succeeded', 'stop'],
    ['deleted', 'succeeded', 'delete'],
    ['canceling', 'canceling', 'stop'],
    ['canceled', 'canceled', 'start'],
    ['failed', 'failed', 'delete'],
  ])('is %s after a %s job of %s', (status, jobState, transition) => {
    expect(workspaceStatus(jobState, transition)).toBe(status);
  });

  test('can be found again by the facts that a search for it uses', () => {
    for (const status of WORKSPACE_STATUSES) {
      const facts = buildFactsOfStatus(status);
      for (const transition of facts.transition === null ? TRANSITIONS : [facts.transition]) {
        expect(workspaceStatus(facts.jobStatus, transition)).toBe(status);
      }
    }
  });
});

test('an idle workspace takes every transition, a busy or deleted one none', () => {
  expect(allowedTransitions(null)).toEqual(['start', 'stop', 'delete']);
  const idle = WORKSPACE_STATUSES.filter((status) => allowedTransitions(status).length === 3);
  expect(idle).toEqual(['running', 'stopped', 'failed', 'canceled']);
  expect(WORKSPACE_STATUSES.filter((status) => buildProblem(status) === 'active')).toEqual(
    WORKSPACE_STATUSES.filter((status) => isBuildActive(status)),
  );
  expect(buildProblem('deleted')).toBe('deleted');
});

test('only a job that has not ended and is not being cancelled can be cancelled', () => {
  expect(JOB_STATUSES.filter((status) => cancelProblem(status) === null)).toEqual(['pending', 'running']);
  expect(cancelProblem('canceling')).toBe('already_canceling');
  expect(cancelProblem('succeeded')).toBe('finished');
});

test('whatever happens to a job follows the table, and nothing leaves a final status', () => {
  const happenings = fc.array(fc.constantFrom('acquire', 'cancel', 'succeed', 'fail'), { maxLength: 6 });
  fc.assert(
    fc.property(happenings, fc.constantFrom(...TRANSITIONS), (events, transition) => {
      let facts = job({});
      for (const event of events) {
        const before = jobStatus(facts);
        if (event === 'acquire' && before === 'pending') facts = { ...facts, startedAt: at };
        if (event === 'cancel' && cancelProblem(before) === null) {
          facts = { ...facts, canceledAt: at, completedAt: facts.startedAt === null ? at : null };
        }
        const isHeld = before === 'running' || before === 'canceling';
        if (event === 'succeed' && isHeld) facts = { ...facts, completedAt: at };
        if (event === 'fail' && isHeld) facts = { ...facts, completedAt: at, error: 'broken' };
        const after = jobStatus(facts);
        if (after !== before) expect(JOB_STATUS_TRANSITIONS[before]).toContain(after);
        if (!isJobActive(before)) expect(after).toBe(before);
        expect(isBuildActive(buildStatus(facts, transition))).toBe(isJobActive(after));
      }
    }),
  );
});
