import { expect, test } from 'vitest';
import { importTrouble, stepOf, tagsText } from './version-words.ts';

const job = {
  id: '',
  created_at: '',
  started_at: null,
  completed_at: null,
  canceled_at: null,
  error: '',
  error_code: '' as const,
  worker_id: null,
  file_id: '',
  tags: { scope: 'organization', owner: '' },
  queue_position: 3,
  queue_size: 7,
};

test('a version that waits says for what: for a provisioner that there is not, for one that is silent, or for its turn', () => {
  const pending = { ...job, status: 'pending' as const };
  const matched = (count: number, available: number) => ({ count, available, most_recently_seen: null });
  expect(importTrouble({ job: pending, matched_provisioners: matched(0, 0) })).toContain('It needs one with scope=organization');
  expect(importTrouble({ job: pending, matched_provisioners: matched(2, 0) })).toContain('not been heard from');
  expect(importTrouble({ job: pending, matched_provisioners: matched(2, 2) })).toBe('Waiting: number 3 of 7 in the queue.');
});

test('a version whose import failed says why, and one that is fine says nothing', () => {
  const matched = { count: 1, available: 1, most_recently_seen: null };
  expect(importTrouble({ job: { ...job, status: 'failed', error: 'berth.yaml: line 3' }, matched_provisioners: matched })).toBe(
    'berth.yaml: line 3',
  );
  expect(importTrouble({ job: { ...job, status: 'succeeded' }, matched_provisioners: matched })).toBe('');
});

test('tags without a value are not shown', () => {
  expect(tagsText({ scope: 'organization', owner: '' })).toBe('scope=organization');
  expect(tagsText({})).toBe('no tags');
});

test('a version says what comes next: its import, mending, promoting or using it', () => {
  const template = { active_version_id: 'a', deprecated: false };
  const step = (status: 'pending' | 'failed' | 'canceled' | 'succeeded', id = 'b', archived = false) =>
    stepOf(template, { id, archived, job: { ...job, status } });
  expect([step('pending'), step('failed'), step('canceled'), step('succeeded'), step('succeeded', 'a')]).toEqual([
    'importing',
    'failed',
    'failed',
    'promote',
    'use',
  ]);
  expect([
    step('failed', 'b', true),
    stepOf({ ...template, deprecated: true }, { id: 'a', archived: false, job: { ...job, status: 'succeeded' } }),
  ]).toEqual(['none', 'none']);
});
