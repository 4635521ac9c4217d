import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import { expect, test } from 'vitest';

import { nextStep } from './next-step.ts';
import type { WaitMode } from './next-step.ts';

type Build = Pick<Workspace['latest_build'], 'status' | 'transition'>;

/** What to do about a workspace of this kind. Only what the decision looks at is there. */
function stepFor(build: Build, agent: Partial<WorkspaceAgent> | null = {}, wait: WaitMode = 'auto') {
  const facts = {
    status: 'connected',
    lifecycle_state: 'ready',
    startup_script_behavior: 'non-blocking',
    scripts: [],
    troubleshooting_url: '',
    ...agent,
  };
  const workspace = { name: 'harbour', latest_build: build };
  return nextStep(workspace as Workspace, agent === null ? undefined : (facts as WorkspaceAgent), wait);
}

const running: Build = { status: 'running', transition: 'start' };
const script = { run_on_start: true } as WorkspaceAgent['scripts'][number];

test.each<[Build, string]>([
  [{ status: 'stopped', transition: 'stop' }, 'start'],
  [{ status: 'canceled', transition: 'start' }, 'start'],
  [{ status: 'failed', transition: 'start' }, 'failed'],
  [{ status: 'pending', transition: 'start' }, 'wait'],
  [{ status: 'starting', transition: 'start' }, 'wait'],
  [{ status: 'stopping', transition: 'stop' }, 'wait'],
  [{ status: 'pending', transition: 'stop' }, 'wait'],
  [{ status: 'canceling', transition: 'start' }, 'wait'],
  [{ status: 'pending', transition: 'delete' }, 'never'],
  [{ status: 'deleting', transition: 'delete' }, 'never'],
  [{ status: 'deleted', transition: 'delete' }, 'never'],
  [running, 'connect'],
])('%o: %s', (build, kind) => {
  expect(stepFor(build).kind).toBe(kind);
});

test('a workspace without an agent is never connected to', () => {
  expect(stepFor(running, null)).toMatchObject({ kind: 'never' });
});

test.each(['connecting', 'disconnected', 'timeout'] as const)('an agent that is %s is waited for', (status) => {
  expect(stepFor(running, { status })).toMatchObject({ kind: 'wait', doing: 'agent' });
});

test('an agent that takes too long says where to find help', () => {
  const step = stepFor(running, { status: 'timeout', connection_timeout_seconds: 120, troubleshooting_url: 'https://help.example' });
  expect(step).toMatchObject({ sentence: expect.stringContaining('120 s (help: https://help.example)') });
});

test('start scripts hold up whom the template says, or the person', () => {
  const starting: Partial<WorkspaceAgent> = { lifecycle_state: 'starting', scripts: [script] };
  expect(stepFor(running, starting)).toEqual({ kind: 'connect', remark: 'The start scripts of harbour are still running.' });
  expect(stepFor(running, starting, 'yes')).toMatchObject({ kind: 'wait', doing: 'scripts' });
  expect(stepFor(running, starting, 'no')).toEqual({ kind: 'connect', remark: '' });
  const blocking: Partial<WorkspaceAgent> = { ...starting, startup_script_behavior: 'blocking' };
  expect(stepFor(running, blocking)).toMatchObject({ kind: 'wait', doing: 'scripts' });
  expect(stepFor(running, blocking, 'no')).toEqual({ kind: 'connect', remark: '' });
});

test('scripts that are not there are not spoken of, and those that failed are', () => {
  expect(stepFor(running, { lifecycle_state: 'starting' })).toEqual({ kind: 'connect', remark: '' });
  expect(stepFor(running, { lifecycle_state: 'start_error' })).toMatchObject({
    kind: 'connect',
    remark: expect.stringContaining('failed'),
  });
});
