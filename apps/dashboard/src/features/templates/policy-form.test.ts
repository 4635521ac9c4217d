import { expect, test } from 'vitest';
import type { PolicyValues } from './policy-form.ts';
import { changedPolicy } from './policy-form.ts';

const POLICY: PolicyValues = {
  default_ttl_ms: 3_600_000,
  activity_bump_ms: 0,
  allow_user_autostop: true,
  allow_user_autostart: true,
  autostart_days: ['monday', 'friday'],
  autostop_days: [],
  autostop_weeks: 1,
  failure_ttl_ms: 0,
  time_til_dormant_ms: 0,
  time_til_dormant_autodelete_ms: 0,
  require_active_version: false,
  allow_user_cancel_workspace_jobs: true,
  max_port_share_level: 'owner',
};

test('a change names only the rules that are different', () => {
  expect(changedPolicy(POLICY, POLICY)).toEqual({});
  expect(changedPolicy(POLICY, { ...POLICY, autostart_days: ['friday', 'monday'] })).toEqual({});
  expect(changedPolicy(POLICY, { ...POLICY, default_ttl_ms: 0, autostop_days: ['sunday'] })).toEqual({
    default_ttl_ms: 0,
    autostop_requirement: { days_of_week: ['sunday'], weeks: 1 },
  });
});
