import { expect, test } from 'vitest';
import { nearestDaemon } from './nearest.ts';

const daemon = (
  name: string,
  tags: Record<string, string>,
  rest: { status?: 'idle' | 'busy' | 'offline'; provisioners?: string[] } = {},
) => ({
  name,
  tags: { scope: 'organization', owner: '', ...tags },
  status: rest.status ?? ('idle' as const),
  provisioners: rest.provisioners ?? ['process'],
});
const job = (tags: Record<string, string>) => ({ provisioner: 'process' as const, tags: { scope: 'organization', owner: '', ...tags } });

test('names the daemon that lacks least, and what it lacks', () => {
  const daemons = [daemon('general', {}), daemon('gpu', { gpu: 'yes' }), daemon('gone', { gpu: 'yes', zone: 'a' }, { status: 'offline' })];
  expect(nearestDaemon(job({ gpu: 'yes', zone: 'a' }), daemons)).toEqual({ daemon: 'gpu', missing: ['zone=a'] });
  expect(nearestDaemon(job({ gpu: 'yes' }), daemons)).toBeNull();
  expect(nearestDaemon(job({}), [daemon('stacks', {}, { provisioners: ['terraform'] })])).toEqual({
    daemon: 'stacks',
    missing: ['the driver process'],
  });
  expect(nearestDaemon(job({}), [])).toBeNull();
});
