import { expect, test } from 'vitest';
import { organizationOf, typicalBuildTime, usedBy } from './template-words.ts';

test('a template says how long a start takes only when some start was measured', () => {
  expect(typicalBuildTime({ build_time_stats: {} })).toBe('');
  expect(typicalBuildTime({ build_time_stats: { start: { p50: null, p95: null } } })).toBe('');
  expect(typicalBuildTime({ build_time_stats: { start: { p50: 2500, p95: 9000 }, stop: { p50: 10, p95: 10 } } })).toBe('2.5 s');
});

test('an organization without a title goes by its name', () => {
  expect(organizationOf({ organization_name: 'default', organization_display_name: '' })).toBe('default');
  expect(organizationOf({ organization_name: 'default', organization_display_name: 'Harbour works' })).toBe('Harbour works');
});

test('how many use a template reads as a person would say it', () => {
  expect([0, 1, 1200].map((count) => usedBy({ active_user_count: count }))).toEqual(['nobody', '1 developer', '1,200 developers']);
});
