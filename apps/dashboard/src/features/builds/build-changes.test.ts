import { expect, test } from 'vitest';
import { changesBetween } from './build-changes.ts';

const built = (version: string, values: Record<string, string>) => ({
  build: { template_version_id: version, template_version_name: `v-${version}` },
  values: Object.entries(values).map(([name, value]) => ({ name, value })),
});

test('what is different is told, the version first, and what is the same is not', () => {
  expect(changesBetween(built('a', { size: '1', flag: 'red', old: '' }), built('b', { size: '2', flag: 'red', new: 'x' }))).toEqual([
    { name: 'Template version', from: 'v-a', to: 'v-b' },
    { name: 'new', from: null, to: 'x' },
    { name: 'old', from: '', to: null },
    { name: 'size', from: '1', to: '2' },
  ]);
  expect(changesBetween(built('a', { size: '1' }), built('a', { size: '1' }))).toEqual([]);
});
