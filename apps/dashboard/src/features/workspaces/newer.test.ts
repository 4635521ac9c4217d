import type { Workspace } from '@berth/api/contract/workspaces';
import type { JobStatus } from '@berth/domain';
import { expect, test } from 'vitest';
import { newer } from './newer.ts';

const state = (build_number: number, status: JobStatus, id = 'w') =>
  ({ id, latest_build: { build_number, job: { status } } }) as unknown as Workspace;

test('a later build wins, in whatever order the news arrives', () => {
  const [first, second] = [state(1, 'succeeded'), state(2, 'pending')];
  expect(newer(first, second)).toBe(second);
  expect(newer(second, first)).toBe(second);
});

test('an answer that was overtaken does not take a build back', () => {
  const [pending, running] = [state(2, 'pending'), state(2, 'running')];
  expect(newer(running, pending)).toBe(running);
  expect(newer(pending, running)).toBe(running);
});

test('with equal progress the last state to arrive wins: agents change while a build stays what it is', () => {
  const [a, b] = [state(2, 'succeeded'), state(2, 'succeeded')];
  expect(newer(a, b)).toBe(b);
});

test('another workspace of the same name is no older state of this one', () => {
  const other = state(1, 'pending', 'other');
  expect(newer(state(9, 'succeeded'), other)).toBe(other);
});
