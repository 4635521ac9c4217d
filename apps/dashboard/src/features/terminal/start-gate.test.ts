import { expect, test } from 'vitest';
import { waitsForStartScript } from './start-gate.ts';

const script = {
  id: '',
  log_source_id: '',
  log_path: '',
  display_name: '',
  script: '',
  cron: '',
  run_on_start: true,
  run_on_stop: false,
  start_blocks_login: true,
  timeout: 0,
};

test('a shell waits for a start script that blocks login, as long as it runs', () => {
  expect(waitsForStartScript({ lifecycle_state: 'starting', scripts: [script] })).toBe(true);
  expect(waitsForStartScript({ lifecycle_state: 'ready', scripts: [script] })).toBe(false);
  expect(waitsForStartScript({ lifecycle_state: 'start_error', scripts: [script] })).toBe(false);
});

test('a shell waits for no other script', () => {
  expect(waitsForStartScript({ lifecycle_state: 'starting', scripts: [{ ...script, start_blocks_login: false }] })).toBe(false);
  expect(waitsForStartScript({ lifecycle_state: 'starting', scripts: [{ ...script, run_on_start: false }] })).toBe(false);
});
