import type { Workspace } from '@berth/api/contract/workspaces';
import type { WorkspaceStatus } from '@berth/domain';
import { WORKSPACE_STATUSES } from '@berth/domain';
import { expect, test } from 'vitest';
import { healthSentence, situation } from './situation.ts';
import { STATUS_LOOKS, stateOf } from './status.ts';

interface Facts {
  readonly status: WorkspaceStatus;
  readonly agents?: readonly object[];
  readonly failing?: readonly string[];
  readonly job?: object;
}

const agent = { id: 'a', name: 'main', status: 'connected', lifecycle_state: 'ready', health: { healthy: true, reason: '' } };

function workspace({ status, agents = [agent], failing = [], job = {} }: Facts): Workspace {
  return {
    dormant_at: null,
    health: { healthy: failing.length === 0, failing_agents: failing },
    latest_build: { status, job: { error: '', queue_position: 0, queue_size: 0, ...job }, resources: [{ agents }] },
  } as unknown as Workspace;
}

test.each(WORKSPACE_STATUSES)('status %s is explained in a sentence', (status) => {
  expect(situation(workspace({ status }))).toMatch(/^[A-Z].*\.$/);
});

test('a build in the queue says its place', () => {
  expect(situation(workspace({ status: 'pending', job: { queue_position: 2, queue_size: 3 } }))).toContain('number 2 of 3');
});

test('a failed build says why', () => {
  expect(situation(workspace({ status: 'failed', job: { error: 'no space left' } }))).toContain('no space left');
});

test('a running workspace that cannot be worked in says what it waits for', () => {
  expect(situation(workspace({ status: 'running', agents: [{ ...agent, status: 'connecting' }] }))).toContain('main to connect');
  expect(situation(workspace({ status: 'running', agents: [{ ...agent, lifecycle_state: 'starting' }] }))).toContain('still at work');
  expect(situation(workspace({ status: 'running', agents: [] }))).toContain('without an agent');
});

test('an unhealthy agent is named in the list as in the page, and only while the workspace runs', () => {
  const lost = { ...agent, status: 'disconnected', health: { healthy: false, reason: 'The agent has lost its connection.' } };
  const running = workspace({ status: 'running', agents: [lost], failing: ['a'] });
  expect(healthSentence(running)).toBe('The agent has lost its connection.');
  expect(situation(running)).toContain('lost its connection');
  expect(healthSentence(workspace({ status: 'stopped', agents: [lost], failing: ['a'] }))).toBe('');
});

test('a running workspace with a failing agent is unhealthy wherever its state is shown; in any other status the status decides', () => {
  expect(STATUS_LOOKS[stateOf(workspace({ status: 'running', failing: ['a'] }))].label).toBe('Unhealthy');
  expect(STATUS_LOOKS[stateOf(workspace({ status: 'running' }))].label).toBe('Running');
  expect(STATUS_LOOKS[stateOf(workspace({ status: 'stopping', failing: ['a'] }))].label).toBe('Stopping');
});
