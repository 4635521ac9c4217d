import type { ReportLogs } from '@berth/protocol/agent';
import { expect, test } from 'vitest';

import { queueLogs } from './log-queue.ts';
import type { Session } from './session.ts';

const SOURCE = '00000000-0000-4000-8000-000000000001';

/** A session whose server answers when the test says so. */
function given(answer: () => Promise<{ overflowed: boolean }> = () => Promise.resolve({ overflowed: false })) {
  const reports: ReportLogs[] = [];
  const api = {
    reportLogs: {
      mutate: (report: ReportLogs) => {
        reports.push(report);
        return answer();
      },
    },
  };
  const session: Pick<Session, 'deliver'> = {
    deliver: (call) => call(api as unknown as Parameters<typeof call>[0], new AbortController().signal),
  };
  const queue = queueLogs(session, () => undefined);
  return { queue, reports, outputs: () => reports.flatMap(({ logs }) => logs.map(({ output }) => output)) };
}

test('lines are sent in batches of one source, in order, within the bounds of a call', async () => {
  const { queue, reports } = given();
  for (let i = 0; i < 1200; i += 1) queue.push(SOURCE, 'info', `line ${i}`);
  queue.push('00000000-0000-4000-8000-000000000002', 'error', 'another');
  await queue.flush();
  expect(reports.map(({ logs }) => logs.length)).toEqual([500, 500, 200, 1]);
  expect(reports[2]?.logs.at(-1)?.output).toBe('line 1199');
});

test('while the server is away a mebibyte waits, and a note tells of the rest', async () => {
  const { promise, resolve } = Promise.withResolvers<{ overflowed: boolean }>();
  let isBack = false;
  const { queue, outputs } = given(() => (isBack ? Promise.resolve({ overflowed: false }) : promise));
  queue.push(SOURCE, 'info', 'first');
  const flushing = queue.flush();
  for (let i = 0; i < 300; i += 1) queue.push(SOURCE, 'info', 'x'.repeat(8000));
  isBack = true;
  resolve({ overflowed: false });
  await flushing;
  queue.push(SOURCE, 'info', 'last');
  await queue.flush();
  const all = outputs();
  expect(all.filter((output) => output.startsWith('x')).length).toBe(130);
  expect(all.at(-2)).toBe('170 lines were dropped here: more than 1 MiB waited for the server.');
  expect(all.at(-1)).toBe('last');
});

test('a server that keeps no more is not asked again', async () => {
  const { queue, reports } = given(() => Promise.resolve({ overflowed: true }));
  queue.push(SOURCE, 'info', 'one');
  await queue.flush();
  queue.push(SOURCE, 'info', 'two');
  await queue.flush();
  expect(reports.length).toBe(1);
});

test('lines are numbered over all sources, and a line keeps its number however often it is sent', async () => {
  let tries = 0;
  const { queue, reports } = given(() => {
    tries += 1;
    return tries === 2 ? Promise.reject(new Error('refused')) : Promise.resolve({ overflowed: false });
  });
  for (const output of ['one', 'two']) queue.push(SOURCE, 'info', output);
  queue.push('00000000-0000-4000-8000-000000000002', 'info', 'three');
  queue.push(SOURCE, 'info', 'four');
  await queue.flush();
  expect(reports.map(({ sequence, logs }) => [sequence, logs.map(({ output }) => output)])).toEqual([
    [0, ['one', 'two']],
    [2, ['three']],
    [3, ['four']],
  ]);
  expect(new Set(reports.map(({ session_id }) => session_id)).size).toBe(1);
});
