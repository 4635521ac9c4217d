import { expect, it } from 'vitest';
import { whyPending } from './why-pending.ts';

const job = {
  id: crypto.randomUUID(),
  created_at: '2026-01-01T00:00:00Z',
  started_at: null,
  completed_at: null,
  canceled_at: null,
  error: '',
  error_code: '',
  status: 'pending',
  worker_id: null,
  file_id: crypto.randomUUID(),
  tags: { owner: '', scope: 'organization' },
  queue_position: 1,
  queue_size: 1,
} as const;

function why(count: number, available: number, changes: Partial<Parameters<typeof whyPending>[1]['job']> = {}): string {
  return whyPending('import', { job: { ...job, ...changes }, matched_provisioners: { count, available, most_recently_seen: null } });
}

it('says why an import waits, by what it needs and who could take it', () => {
  const tags = { ...job.tags, region: 'mars', gpu: 'yes' };
  expect(why(0, 0, { tags })).toBe('No provisioner can take this import: it needs one with the tags gpu=yes, region=mars.');
  expect(why(0, 0, { tags: { region: 'mars' } })).toContain('the tag region=mars.');
  expect(why(0, 0)).toBe('No provisioner can take this import.');
  expect(why(1, 0)).toBe('The only provisioner that can take this import is offline.');
  expect(why(3, 0)).toBe('All 3 provisioners that can take this import are offline.');
  expect(why(1, 1, { queue_position: 2 })).toBe('1 job is ahead of this import.');
  expect(why(1, 1, { queue_position: 5 })).toBe('4 jobs are ahead of this import.');
  expect(why(1, 1)).toBe('Waiting for a provisioner to take this import.');
  expect(why(0, 0, { status: 'running' })).toBe('');
});
