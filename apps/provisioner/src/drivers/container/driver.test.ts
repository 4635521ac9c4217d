import type { BuildJob } from '@berth/protocol';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hostEnvironment } from '../../env.ts';
import { JobStopped } from '../../job-session.ts';
import type { StopReason } from '../../job-session.ts';
import { ContainerDesk, NOTHING } from '../../testing/engine/container-desk.ts';
import type { DeskOptions } from '../../testing/engine/container-desk.ts';
import { FakeEngine } from '../../testing/engine/fake-engine.ts';
import type { Fault } from '../../testing/engine/faulty-door.ts';
import { importHostImage, removeHostImage } from '../../testing/engine/host-image.ts';
import { buildJob } from '../../testing/jobs.ts';
import { parseEngineAddress } from './engine-address.ts';
import { findEngine } from './find-engine.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

interface Subject {
  readonly title: string;
  readonly skip: boolean;
  /** Every how many calls a fault is tried. */
  readonly step: number;
  open(): Promise<DeskOptions & { close: () => Promise<void> }>;
}

const IMAGE = { name: 'berth-test/host', tag: 'suite' };
const host = hostEnvironment();
const real = await findEngine({ host: host['BERTH_DOCKER_HOST'] ?? host['DOCKER_HOST'], runtimeDir: host['XDG_RUNTIME_DIR'] });
const realAddress = real.engine === undefined ? undefined : parseEngineAddress(real.engine.address);
const whyNotReal =
  real.reason ?? (process.platform === 'linux' ? undefined : "its image is made of this host's own programs, which takes Linux");

const subjects: Subject[] = [
  {
    title: 'an engine that keeps its state and runs nothing',
    skip: false,
    step: 1,
    open: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'berth-engine-'));
      const engine = new FakeEngine();
      engine.registry.set(`${IMAGE.name}:${IMAGE.tag}`, { isThere: true });
      const socketPath = join(folder, 'engine.sock');
      await engine.listen(socketPath);
      const close = async () => {
        await engine.close();
        await rm(folder, { recursive: true, force: true });
      };
      return { socketPath, image: `${IMAGE.name}:${IMAGE.tag}`, network: '', close };
    },
  },
  {
    title: whyNotReal === undefined ? 'a real engine' : `a real engine (skipped: ${whyNotReal})`,
    skip: whyNotReal !== undefined,
    step: 10,
    open: async () => {
      if (realAddress?.kind !== 'socket') throw new Error('There is no engine.');
      const { path } = realAddress;
      await importHostImage(path, IMAGE);
      return { socketPath: path, image: `${IMAGE.name}:${IMAGE.tag}`, network: '', close: () => removeHostImage(path, IMAGE) };
    },
  },
];

describe.each(subjects)('with $title', ({ skip, step, open }) => {
  let desk: ContainerDesk;
  let close: () => Promise<void>;

  beforeAll(async () => {
    if (skip) return;
    const opened = await open();
    close = opened.close;
    desk = await ContainerDesk.open(opened);
  });
  afterAll(async () => {
    if (skip) return;
    await desk.close();
    await close();
  });

  afterEach(() => {
    if (!skip) desk.door.reset();
  });

  const RUNNING = { containers: ['dev running', 'side running'], volumes: ['cache', 'data'], networks: 1 };
  const STOPPED = { ...NOTHING, volumes: ['data'] };
  const start = async (job: BuildJob, signal?: AbortSignal) => await desk.build(desk.driver(), job, signal);
  const stop = async (job: BuildJob, signal?: AbortSignal) => await desk.build(desk.driver(), { ...job, transition: 'stop' }, signal);
  const remove = async (job: BuildJob, signal?: AbortSignal) => await desk.build(desk.driver(), { ...job, transition: 'delete' }, signal);

  /** How many calls a build takes when nothing goes wrong, which leaves the workspace as `before` has it. */
  async function countCalls(build: typeof start, before: (job: BuildJob) => Promise<unknown>): Promise<number> {
    const job = buildJob();
    await before(job);
    desk.door.reset();
    await build(job);
    const calls = desk.door.calls.length;
    await desk.clear(job.workspace.id);
    return calls;
  }

  it.skipIf(skip)('a workspace is started, stopped with what is to be kept, started again and deleted', async () => {
    const job = buildJob();
    const started = await start(job);
    expect(await desk.holdings(job.workspace.id)).toEqual(RUNNING);
    expect(started.planned.map(({ name, type, agents }) => [name, type, agents.length])).toEqual([
      ['data', 'volume', 0],
      ['dev', 'container', 1],
      ['side', 'container', 0],
    ]);
    expect(new Set(started.timings.map(({ action, resource }) => `${action} ${resource}`))).toEqual(
      new Set(['pull dev', 'create data', 'create cache', 'create dev', 'start dev', 'create side', 'start side']),
    );
    const state = Buffer.from(started.state).toString('base64');
    const stopped = await stop({ ...job, state });
    expect(stopped.planned.map(({ name, type }) => [name, type])).toEqual([['data', 'volume']]);
    expect(await desk.holdings(job.workspace.id)).toEqual(STOPPED);

    await start(job);
    // Again over the running one, as after a daemon that died before it could say that it was done.
    await start(job);
    expect(await desk.holdings(job.workspace.id)).toEqual(RUNNING);
    await remove(job);
    expect(await desk.holdings(job.workspace.id)).toEqual(NOTHING);
  });

  it.skipIf(skip)('what was never there, or whose state is unreadable, can be stopped and deleted', async () => {
    for (const state of ['', Buffer.from('not json').toString('base64')]) {
      const job = buildJob({ state });
      await stop(job);
      await remove(job);
      expect(await desk.holdings(job.workspace.id)).toEqual(NOTHING);
    }
  });

  const builds = [
    { name: 'start', build: start, before: () => Promise.resolve(), after: RUNNING, step },
    // Half of its calls are those of a first start.
    { name: 'start over a running one', build: start, before: start, after: RUNNING, step: step * 2 },
    { name: 'stop', build: stop, before: start, after: STOPPED, step },
    { name: 'delete', build: remove, before: start, after: NOTHING, step },
  ];

  it.skipIf(skip).each(builds)(
    'a $name that dies after any call ends, done again, as if it had not',
    async ({ build, before, after, step: every }) => {
      const calls = await countCalls(build, before);
      for (let atCall = 1; atCall <= calls; atCall += every) {
        for (const when of ['before', 'after'] as const) {
          const job = buildJob();
          await before(job);
          desk.door.reset({ atCall, when, lasts: 'for good' });
          await expect(build(job), `call ${atCall}, ${when}`).rejects.toBeDefined();
          desk.door.reset();
          await build(job);
          expect(await desk.holdings(job.workspace.id), `call ${atCall}, ${when}`).toEqual(after);
          await desk.clear(job.workspace.id);
          expect(await desk.holdings(job.workspace.id)).toEqual(NOTHING);
        }
      }
    },
  );

  it.skipIf(skip)('a first start of which any one call fails leaves all or nothing', async () => {
    const calls = await countCalls(start, () => Promise.resolve());
    for (let atCall = 1; atCall <= calls; atCall += step) {
      for (const when of ['before', 'after'] as const) {
        const job = buildJob();
        const fault: Fault = { atCall, when, lasts: 'once' };
        desk.door.reset(fault);
        const outcome = await start(job).then(
          () => 'started',
          () => 'failed',
        );
        const left = await desk.holdings(job.workspace.id);
        expect(left, `call ${atCall}, ${when}: ${outcome}`).toEqual(outcome === 'started' ? RUNNING : NOTHING);
        await desk.clear(job.workspace.id);
      }
    }
  });

  it.skipIf(skip).each<{ reason: StopReason; volumes: boolean }>([
    { reason: 'canceled', volumes: false },
    { reason: 'lease lost', volumes: true },
    { reason: 'shutdown', volumes: true },
  ])('a first start that is stopped at any call ($reason) leaves no container behind', async ({ reason, volumes }) => {
    const calls = await countCalls(start, () => Promise.resolve());
    for (let atCall = 1; atCall <= calls; atCall += step) {
      const job = buildJob();
      const controller = new AbortController();
      desk.door.reset();
      desk.door.onCall = (call) => {
        if (call === atCall) controller.abort(new JobStopped(reason));
      };
      await expect(start(job, controller.signal), `call ${atCall}`).rejects.toBeDefined();
      const left = await desk.holdings(job.workspace.id);
      expect(left.containers, `call ${atCall}`).toEqual([]);
      if (!volumes) expect(left, `call ${atCall}`).toEqual(NOTHING);
      await desk.clear(job.workspace.id);
    }
  });

  it.skipIf(skip)('a start that is cancelled keeps what earlier builds made', async () => {
    const job = buildJob();
    await start(job);
    await stop(job);
    const controller = new AbortController();
    desk.door.reset();
    desk.door.onCall = () => {
      if (desk.door.calls.at(-1)?.endsWith('/start') === true) controller.abort(new JobStopped('canceled'));
    };
    await expect(start(job, controller.signal)).rejects.toBeDefined();
    expect(await desk.holdings(job.workspace.id)).toEqual(STOPPED);
    await desk.clear(job.workspace.id);
  });
});
