import type { AppRouter } from '@berth/api';
import type { Operation, OperationLink } from '@trpc/client';
import { TRPCClientError } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isUnreachable, reachability } from './reachability.ts';
import { retryUnanswered } from './retry-link.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Next = Parameters<OperationLink<AppRouter>>[0]['next'];

const unanswered = (status?: number): TRPCClientError<AppRouter> =>
  new TRPCClientError('Failed to fetch', status === undefined ? {} : { meta: { response: new Response(null, { status }) } });

function call(type: Operation['type'], answers: (TRPCClientError<AppRouter> | 'data')[]) {
  const op: Operation = { id: 1, type, path: 'users.get', input: {}, context: {}, signal: null };
  const heard: string[] = [];
  let attempts = 0;
  const next: Next = () =>
    observable((observer) => {
      const answer = answers[attempts];
      attempts += 1;
      if (answer === undefined) return;
      if (answer === 'data') {
        observer.next({ result: { data: 'me' } });
        observer.complete();
      } else {
        observer.error(answer);
      }
    });
  const subscription = retryUnanswered({})({ op, next }).subscribe({
    next: () => void heard.push('data'),
    error: () => void heard.push('error'),
  });
  return { heard, attempts: () => attempts, giveUp: () => subscription.unsubscribe() };
}

test('a query without an answer is repeated until it has one, and the server counts as unreachable meanwhile', async () => {
  const { heard } = call('query', [unanswered(), unanswered(502), unanswered(503), 'data']);
  expect(reachability.isUnreachable).toBe(true);
  expect(heard).toEqual([]);
  await vi.runAllTimersAsync();
  expect(heard).toEqual(['data']);
  expect(reachability.isUnreachable).toBe(false);
});

test('a query that is given up is not repeated', async () => {
  const { attempts, giveUp } = call('query', [unanswered()]);
  giveUp();
  expect(reachability.isUnreachable).toBe(false);
  await vi.runAllTimersAsync();
  expect(attempts()).toBe(1);
});

test('a mutation without an answer fails at once, since it may have been carried out', () => {
  const { heard } = call('mutation', [unanswered()]);
  expect(heard).toEqual(['error']);
  expect(reachability.isUnreachable).toBe(false);
});

test('an answer that is not from Berth, but from something that does work, is final', () => {
  expect(call('query', [unanswered(414)]).heard).toEqual(['error']);
  expect(isUnreachable(unanswered(404))).toBe(false);
});
