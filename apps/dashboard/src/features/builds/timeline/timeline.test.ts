import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { WorkspaceBuild, WorkspaceBuildTimings } from '@berth/api/contract/builds';
import { expect, test } from 'vitest';
import { shownLine } from '../../logs/log-lines.ts';
import type { Bar, TimelineFacts } from './timeline.ts';
import { barsOf, isMoving, shownBars, spanOf, stageTimes } from './timeline.ts';

const AGENT = '00000000-0000-4000-8000-00000000000a';
const START = Date.parse('2026-01-01T10:00:00.000Z');
/** An instant, in seconds since the build was asked for. */
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

function agent(part: Partial<WorkspaceAgent> = {}): WorkspaceAgent {
  const script = {
    id: AGENT,
    log_source_id: AGENT,
    log_path: '',
    script: '',
    cron: '',
    run_on_stop: false,
    start_blocks_login: false,
    timeout: 0,
  };
  return {
    id: AGENT,
    resource_id: AGENT,
    name: 'main',
    status: 'connected',
    lifecycle_state: 'ready',
    health: { healthy: true, reason: '' },
    created_at: at(2),
    updated_at: at(4),
    first_connected_at: at(4),
    last_connected_at: at(4),
    disconnected_at: null,
    started_at: at(4),
    ready_at: at(9),
    instance_id: '',
    architecture: '',
    operating_system: '',
    environment_variables: {},
    directory: '',
    expanded_directory: '',
    version: '',
    api_version: '',
    connection_timeout_seconds: 120,
    troubleshooting_url: '',
    startup_script_behavior: 'non-blocking',
    latency: {},
    logs_length: 10,
    logs_overflowed: false,
    display_apps: [],
    subsystems: [],
    apps: [],
    log_sources: [],
    scripts: [
      { ...script, display_name: 'Tools', run_on_start: true },
      { ...script, display_name: 'Sweep', run_on_start: false },
    ],
    ...part,
  };
}

function build(job: Partial<WorkspaceBuild['job']>, agents: readonly WorkspaceAgent[] = []): WorkspaceBuild {
  return {
    id: AGENT,
    build_number: 1,
    created_at: at(0),
    updated_at: at(0),
    deadline: null,
    max_deadline: null,
    daily_cost: 0,
    initiator_id: AGENT,
    initiator_name: 'ada',
    job: {
      id: AGENT,
      created_at: at(0),
      started_at: at(1),
      completed_at: at(3),
      canceled_at: null,
      error: '',
      error_code: '',
      status: 'succeeded',
      worker_id: null,
      file_id: AGENT,
      tags: {},
      queue_position: 0,
      queue_size: 0,
      ...job,
    },
    reason: 'initiator',
    status: 'running',
    transition: 'start',
    template_version_id: AGENT,
    template_version_name: 'one',
    workspace_id: AGENT,
    workspace_name: 'pier',
    workspace_owner_id: AGENT,
    workspace_owner_name: 'ada',
    workspace_owner_avatar_url: '',
    resources: [
      {
        id: AGENT,
        job_id: AGENT,
        created_at: at(2),
        workspace_transition: 'start',
        type: 'process',
        name: 'pier',
        icon: '',
        hide: false,
        daily_cost: 0,
        metadata: [],
        agents: [...agents],
      },
    ],
  };
}

const line = (seconds: number, stage: string, output = '', level: 'info' | 'error' = 'info') =>
  shownLine({ id: seconds + 1, at: at(seconds), level, stage, output });
const facts = (part: Partial<TimelineFacts>): TimelineFacts => ({
  build: build({}),
  timings: undefined,
  lines: [],
  isLatest: true,
  ...part,
});
const NONE: WorkspaceBuildTimings = { provisioner_timings: [], agent_script_timings: [], agent_connection_timings: [] };
const brief = (bars: readonly Bar[]) =>
  bars.map(({ name, from, to, hasFailed }) => [
    name,
    (from - START) / 1000,
    to === null ? null : (to - START) / 1000,
    hasFailed ? 'failed' : 'ok',
  ]);

test('a build that waits is a wait that goes on', () => {
  const bars = barsOf(facts({ build: build({ status: 'pending', started_at: null, completed_at: null }) }));
  expect(brief(bars)).toEqual([['Wait for a provisioner', 0, null, 'ok']]);
  expect(isMoving(bars)).toBe(true);
});

test('while a build runs, its stages are as its log tells, and the last one goes on', () => {
  const bars = barsOf(
    facts({ build: build({ status: 'running', completed_at: null }), lines: [line(2, 'plan'), line(5, 'apply'), line(6, 'plan')] }),
  );
  expect(brief(bars)).toEqual([
    ['Wait for a provisioner', 0, 1, 'ok'],
    ['Plan', 1, 5, 'ok'],
    ['Apply', 5, null, 'ok'],
  ]);
  expect(bars.map(({ log }) => log?.target)).toEqual([
    { kind: 'line', number: 1 },
    { kind: 'line', number: 1 },
    { kind: 'line', number: 2 },
  ]);
});

test('a build that failed shows the stage of its first error', () => {
  const failed = build({ status: 'failed', error: 'it broke', completed_at: at(8) });
  const lines = [line(2, 'plan', 'no such image', 'error'), line(5, 'apply')];
  expect(brief(barsOf(facts({ build: failed, lines })))).toEqual([
    ['Wait for a provisioner', 0, 1, 'ok'],
    ['Plan', 1, 5, 'failed'],
    ['Apply', 5, 8, 'ok'],
  ]);
  expect(brief(barsOf(facts({ build: failed })))[1]).toEqual(['Work', 1, 8, 'failed']);
});

test('what was measured counts more than the log; steps stand under their stage and lead to the line that names them', () => {
  const timing = (stage: 'init' | 'plan' | 'apply', resource: string, from: number, to: number) => ({
    job_id: AGENT,
    started_at: at(from),
    ended_at: at(to),
    stage,
    source: 'terraform',
    action: resource === '' ? 'start' : 'create',
    resource,
  });
  const timings = {
    ...NONE,
    provisioner_timings: [
      timing('plan', '', 1, 3),
      timing('init', '', 1, 2),
      timing('apply', 'disk.home', 3, 4),
      timing('apply', '', 3, 5),
    ],
  };
  const lines = [line(1, 'plan', 'disk.home will be made'), line(3, 'apply', 'begin'), line(4, 'apply', 'disk.home: done')];
  const bars = barsOf(facts({ timings, lines }));
  expect(brief(bars).map(([name]) => name)).toEqual(['Wait for a provisioner', 'Plan', 'Fetch the template', 'Apply', 'disk.home']);
  expect(bars.map(({ log }) => log?.target)).toEqual([
    { kind: 'line', number: 1 },
    { kind: 'line', number: 1 },
    undefined,
    { kind: 'line', number: 2 },
    { kind: 'line', number: 3 },
  ]);
});

const script = (name: string, from: number, to: number, part: Partial<WorkspaceBuildTimings['agent_script_timings'][number]> = {}) => ({
  started_at: at(from),
  ended_at: at(to),
  exit_code: 0,
  stage: 'start' as const,
  status: 'ok' as const,
  display_name: name,
  workspace_agent_id: AGENT,
  workspace_agent_name: 'main',
  ...part,
});
const connection = (to: number | null) => ({
  started_at: at(2),
  ended_at: to === null ? null : at(to),
  stage: 'connect' as const,
  workspace_agent_id: AGENT,
  workspace_agent_name: 'main',
});

test('scripts count as they ran first at the start, and those of other times not at all', () => {
  const timings = {
    ...NONE,
    agent_connection_timings: [connection(4)],
    agent_script_timings: [
      script('Tools', 4, 6, { exit_code: 3, status: 'exit_failure' }),
      script('Tools', 9000, 9001),
      script('Sweep', 5000, 5001, { stage: 'cron' }),
      script('Tidy', 9900, 9901, { stage: 'stop' }),
    ],
  };
  const bars = barsOf(facts({ build: build({}, [agent()]), timings }));
  expect(brief(bars).slice(2)).toEqual([
    ['main connects', 2, 4, 'ok'],
    ['Tools', 4, 6, 'failed'],
  ]);
  expect(bars.at(-1)).toMatchObject({ detail: 'failed, exit code 3', log: { agent: 'main', target: { kind: 'stage', stage: 'Tools' } } });
});

test('an agent that comes and scripts that run are under way only in the latest build', () => {
  const coming = build({}, [agent({ status: 'connecting', first_connected_at: null })]);
  const waiting = { ...NONE, agent_connection_timings: [connection(null)] };
  expect(brief(barsOf(facts({ build: coming, timings: waiting }))).at(-1)).toEqual(['main connects', 2, null, 'ok']);
  expect(brief(barsOf(facts({ build: coming, timings: waiting, isLatest: false }))).at(-1)).toEqual(['main connects', 2, 122, 'failed']);

  const starting = build({}, [agent({ lifecycle_state: 'starting' })]);
  const come = { ...NONE, agent_connection_timings: [connection(4)] };
  expect(brief(barsOf(facts({ build: starting, timings: come }))).at(-1)).toEqual(['Tools', 4, null, 'ok']);
  expect(brief(barsOf(facts({ build: starting, timings: come, isLatest: false }))).at(-1)).toEqual(['main connects', 2, 4, 'ok']);
});

test('the line spans all bars up to now, and cuts a wait that would leave no room for the work', () => {
  const bar = (kind: Bar['kind'], from: number, to: number | null): Bar => ({
    key: `${kind} ${from}`,
    kind,
    name: '',
    detail: '',
    from,
    to,
    hasFailed: false,
    log: null,
  });
  expect(spanOf([bar('queue', 0, 100), bar('stage', 100, null)], 5100)).toEqual({ from: 0, to: 5100, isCut: false });
  expect(spanOf([bar('queue', 0, null)], 5000)).toEqual({ from: 0, to: 5000, isCut: false });
  expect(spanOf([bar('queue', 0, 100_000), bar('stage', 100_000, 101_000)], 0)).toEqual({ from: 99_850, to: 101_000, isCut: true });
});

test('of very many steps the longest are shown first', () => {
  const steps = Array.from({ length: 200 }, (_, index): Bar => ({
    key: `${index}`,
    kind: 'step',
    name: `${index}`,
    detail: '',
    from: 0,
    to: index,
    hasFailed: false,
    log: null,
  }));
  const queue: Bar = { key: 'queue', kind: 'queue', name: '', detail: '', from: 0, to: 1, hasFailed: false, log: null };
  expect(shownBars([queue, ...steps]).map(({ key }) => key)).toEqual([
    'queue',
    ...Array.from({ length: 30 }, (_, index) => `${170 + index}`),
  ]);
});

test('the headings of a log get the times that the timeline shows: of stages without their steps, or of the start scripts of one agent', () => {
  const stage = { job_id: AGENT, source: 'terraform', action: 'start', ended_at: at(3) };
  const script = { exit_code: 0, status: 'ok', display_name: 'Tools', workspace_agent_name: 'main', started_at: at(5) } as const;
  const timings: WorkspaceBuildTimings = {
    ...NONE,
    provisioner_timings: [
      { ...stage, stage: 'apply', resource: 'disk.home', started_at: at(2) },
      { ...stage, stage: 'apply', resource: '', started_at: at(1) },
    ],
    agent_script_timings: [
      { ...script, stage: 'stop', workspace_agent_id: AGENT, ended_at: at(60) },
      { ...script, stage: 'start', workspace_agent_id: 'another', ended_at: at(50) },
      { ...script, stage: 'start', workspace_agent_id: AGENT, ended_at: at(9) },
    ],
  };
  expect([...stageTimes(timings, null)]).toEqual([['apply', 2000]]);
  expect([...stageTimes(timings, AGENT)]).toEqual([['Tools', 4000]]);
  expect(stageTimes(undefined, null).size).toBe(0);
});
