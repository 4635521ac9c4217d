import { describe, expect, test } from 'vitest';
import type { AgentConnectionFacts } from './agent-states.ts';
import {
  agentDisconnectedAt,
  agentHealth,
  agentStatus,
  appHealthAfterReport,
  initialAppHealth,
  lifecycleTimes,
  startupScriptBehavior,
  workspaceHealth,
} from './agent-states.ts';
import { AGENT_LIFECYCLE_STATES } from './enums.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const agent = (facts: Partial<AgentConnectionFacts>): AgentConnectionFacts => ({
  createdAt: at(0),
  firstConnectedAt: null,
  lastConnectedAt: null,
  disconnectedAt: null,
  connectionTimeoutSeconds: 120,
  ...facts,
});

describe('an agent', () => {
  test('that never connected is connecting, and late after its timeout; without a timeout it may take forever', () => {
    expect(agentStatus(agent({}), at(120))).toBe('connecting');
    expect(agentStatus(agent({}), at(121))).toBe('timeout');
    expect(agentStatus(agent({ connectionTimeoutSeconds: 0 }), at(1e6))).toBe('connecting');
  });

  test('is connected while it was heard from within the limit', () => {
    const heard = agent({ firstConnectedAt: at(1), lastConnectedAt: at(100) });
    expect(agentStatus(heard, at(130))).toBe('connected');
    expect(agentStatus(heard, at(131))).toBe('disconnected');
    expect(agentDisconnectedAt(heard, at(130))).toBeNull();
    expect(agentDisconnectedAt(heard, at(131))).toEqual(at(100));
  });

  test('that said goodbye is disconnected until it connects again', () => {
    const gone = agent({ firstConnectedAt: at(1), lastConnectedAt: at(100), disconnectedAt: at(100) });
    expect(agentStatus(gone, at(101))).toBe('disconnected');
    expect(agentDisconnectedAt(gone, at(101))).toEqual(at(100));
    expect(agentStatus({ ...gone, lastConnectedAt: at(105) }, at(106))).toBe('connected');
  });
});

describe('health of an agent', () => {
  test('is good while it starts, also when that takes long', () => {
    const healthy = AGENT_LIFECYCLE_STATES.filter((state) => agentHealth('connected', state).healthy);
    expect(healthy).toEqual(['created', 'starting', 'start_timeout', 'ready']);
    expect(agentHealth('connecting', 'created').healthy).toBe(true);
  });

  test('names the first cause that applies', () => {
    expect(agentHealth('disconnected', 'off').reason).toContain('not running');
    expect(agentHealth('connected', 'off').reason).toContain('shutting down');
    expect(agentHealth('timeout', 'created').reason).toContain('too long');
    expect(agentHealth('disconnected', 'start_error').reason).toContain('lost its connection');
    expect(agentHealth('connected', 'start_error').reason).toContain('failed');
  });

  test('makes that of the workspace, which names the failing agents', () => {
    const good = { id: 'a', health: agentHealth('connected', 'ready') };
    const bad = { id: 'b', health: agentHealth('timeout', 'created') };
    expect(workspaceHealth([])).toEqual({ healthy: true, failingAgents: [] });
    expect(workspaceHealth([good, bad])).toEqual({ healthy: false, failingAgents: ['b'] });
  });
});

test('an app has a health only if it has a check, and no report can take the check away', () => {
  expect(initialAppHealth('')).toBe('disabled');
  expect(initialAppHealth('http://localhost:1/healthz')).toBe('initializing');
  expect(appHealthAfterReport('initializing', 'healthy')).toBe('healthy');
  expect(appHealthAfterReport('disabled', 'unhealthy')).toBe('disabled');
  expect(appHealthAfterReport('healthy', 'disabled')).toBe('healthy');
});

test('a shell waits only for scripts that run on start and block the login', () => {
  expect(startupScriptBehavior([])).toBe('non-blocking');
  expect(startupScriptBehavior([{ runOnStart: false, startBlocksLogin: true }])).toBe('non-blocking');
  expect(startupScriptBehavior([{ runOnStart: true, startBlocksLogin: true }])).toBe('blocking');
});

test('starting sets the start time and clears readiness; the end of a start sets readiness', () => {
  expect(lifecycleTimes('starting', { changedAt: at(5), startedAt: at(1) })).toEqual({ startedAt: at(5), readyAt: null });
  expect(lifecycleTimes('ready', { changedAt: at(9), startedAt: at(5) })).toEqual({ readyAt: at(9) });
  expect(lifecycleTimes('start_error', { changedAt: at(9), startedAt: null })).toEqual({ startedAt: at(9), readyAt: at(9) });
  expect(lifecycleTimes('off', { changedAt: at(9), startedAt: null })).toEqual({});
});
