import type { WorkspaceAgent } from '@berth/api/contract/agents';
import { expect, test } from 'vitest';
import { latencyText } from './agent-look.ts';
import { scriptRows } from './script-rows.ts';

const ID = '00000000-0000-4000-8000-00000000000a';
const script = (name: string, part: Partial<WorkspaceAgent['scripts'][number]> = {}) => ({
  id: name,
  log_source_id: ID,
  log_path: '',
  display_name: name,
  script: '',
  cron: '',
  run_on_start: false,
  run_on_stop: false,
  start_blocks_login: false,
  timeout: 0,
  ...part,
});
const timing = (name: string, part: object = {}) => ({
  started_at: '2026-01-01T10:00:00.000Z',
  ended_at: '2026-01-01T10:00:03.100Z',
  exit_code: 0,
  stage: 'start' as const,
  status: 'ok' as const,
  display_name: name,
  workspace_agent_id: ID,
  workspace_agent_name: 'main',
  ...part,
});
const agent = (state: WorkspaceAgent['lifecycle_state']) =>
  ({
    id: ID,
    status: 'connected',
    lifecycle_state: state,
    scripts: [
      script('Tools', { run_on_start: true, start_blocks_login: true }),
      script('Seed', { run_on_start: true }),
      script('Sweep', { cron: '0 9 * * *', run_on_stop: true }),
    ],
  }) as const;

test('each script says when it runs, how long it took last and how that went', () => {
  const agent_script_timings = [
    timing('Tools'),
    timing('Tools', { status: 'exit_failure', exit_code: 2 }),
    timing('Sweep', { workspace_agent_id: 'other' }),
  ];
  const rows = scriptRows(agent('starting'), { provisioner_timings: [], agent_connection_timings: [], agent_script_timings });
  expect(rows.map(({ occasion, took, result, hasFailed }) => [occasion, took, result, hasFailed])).toEqual([
    ['at start, before anybody enters', '3.1 s', 'Failed with exit code 2', true],
    ['at start', '', 'At work', false],
    ['at stop, by the clock (0 9 * * *)', '', 'Not run yet', false],
  ]);
  expect(scriptRows(agent('ready'), undefined).map(({ result }) => result)).toEqual(['Not run yet', 'Not run yet', 'Not run yet']);
});

test('the round trip is that of the way that counts', () => {
  expect(latencyText({})).toBe('');
  expect(latencyText({ Berth: { preferred: true, latency_ms: 0.4 } })).toBe('under 1 ms');
  expect(latencyText({ far: { preferred: false, latency_ms: 90 }, near: { preferred: true, latency_ms: 12.4 } })).toBe('12 ms');
});
