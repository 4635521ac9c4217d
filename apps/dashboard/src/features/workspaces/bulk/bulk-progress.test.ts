import type { BulkResult, Workspace } from '@berth/api/contract/workspaces';
import { describe, expect, test } from 'vitest';
import type { BulkItem } from './bulk-progress.ts';
import { answered, asked, chunksOf, heard, idsIn, phaseOf, phaseWords, previewed, summary, unanswered } from './bulk-progress.ts';

const item = (id: string): BulkItem => ({ workspace: { id, name: id, owner_name: 'ada' }, isAsked: false });
const result = (id: string, status: BulkResult['status'], message = 'no'): BulkResult => ({
  workspace_id: id,
  status,
  build_id: status === 'ok' ? `build of ${id}` : null,
  error: status === 'refused' ? { kind: 'conflict', message } : null,
});
/** What the list would tell of a workspace whose latest build is this one. */
const news = (id: string, build: { id: string; status: string; error?: string }) => ({
  id,
  workspace: { latest_build: { id: build.id, job: { status: build.status, error: build.error ?? '' } } } as Workspace,
});
const items = [item('a'), item('b'), item('c')];
const seen = previewed(items, [result('a', 'ok'), result('b', 'unchanged'), result('c', 'refused', 'it is dormant')]);

describe('a bulk change', () => {
  test('says beforehand what would come of each, and why not', () => {
    expect(items.map(phaseOf)).toEqual(['checking', 'checking', 'checking']);
    expect(seen.map(phaseOf)).toEqual(['will', 'skipped', 'impossible']);
    expect(seen.map((one) => phaseWords('stop', one))).toEqual(['will stop', 'is stopped already', 'it is dormant']);
    expect(summary(seen, 'stop')).toBe('1 to stop · 1 with nothing to do · 1 not possible');
  });

  test('follows each to the end of the build that was made for it', () => {
    const waiting = asked(seen, ['a']);
    expect(waiting.map(phaseOf)).toEqual(['waiting', 'skipped', 'impossible']);
    const under = answered(waiting, [result('a', 'ok')]);
    expect(under.map(phaseOf)[0]).toBe('under_way');
    expect(heard(under, news('a', { id: 'another build', status: 'succeeded' })).map(phaseOf)[0]).toBe('under_way');
    expect(heard(under, news('a', { id: 'build of a', status: 'running' })).map(phaseOf)[0]).toBe('under_way');
    expect(heard(under, news('a', { id: 'build of a', status: 'succeeded' })).map((one) => phaseWords('stop', one))[0]).toBe('is stopped');
    const early = answered(heard(waiting, news('a', { id: 'build of a', status: 'succeeded' })), [result('a', 'ok')]);
    expect(early.map(phaseOf)[0]).toBe('done');
    expect(heard(under, { id: 'a', workspace: null }).map(phaseOf)[0]).toBe('done');
    const [failed] = heard(under, news('a', { id: 'build of a', status: 'failed', error: 'no disk' }));
    expect(failed && [phaseOf(failed), phaseWords('stop', failed)]).toEqual(['failed', 'its build failed: no disk']);
  });

  test('may be tried again with those that failed, and with no others', () => {
    const done = answered(asked(seen, ['a']), unanswered(['a'], 'The server does not answer.'));
    expect(done.map((one) => phaseWords('stop', one))[0]).toBe('The server does not answer.');
    expect(idsIn(done, 'failed')).toEqual(['a']);
    expect(asked(done, idsIn(done, 'failed')).map(phaseOf)).toEqual(['waiting', 'skipped', 'impossible']);
  });

  test('is asked for in pieces', () => {
    expect(chunksOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    expect(chunksOf([], 2)).toEqual([]);
  });
});
