import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DaemonRejected, startDaemon } from './daemon.ts';
import type { Daemon, DaemonOptions } from './daemon.ts';
import type { Log } from './log.ts';
import { KeyRejected, Refused } from './server.ts';
import { FakeDriver, NOTHING_APPLIED, untilStopped } from './testing/fake-driver.ts';
import { FakeServer } from './testing/fake-server.ts';
import { buildJob } from './testing/jobs.ts';

let workDir = '';
let server: FakeServer;
const SANDBOX = { kind: 'none', detail: 'a fake' } as const;
let driver: FakeDriver;
const daemons: Daemon[] = [];

beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'berth-daemon-'));
  server = new FakeServer();
  driver = new FakeDriver();
});
afterEach(async () => {
  for (const daemon of daemons.splice(0)) await daemon.drain().catch(() => {});
  await rm(workDir, { recursive: true, force: true });
});

function start(overrides: Partial<DaemonOptions> = {}): Daemon {
  const daemon = startDaemon({
    server,
    drivers: [driver],
    sandbox: SANDBOX,
    name: 'built-in',
    version: '0.1.0',
    workDir,
    concurrency: 2,
    log: () => {},
    heartbeatMs: 5,
    ...overrides,
  });
  daemons.push(daemon);
  return daemon;
}

it('registers with its sandbox and works on jobs as they come, again when the server was away', async () => {
  server.failing = [new Error('refused'), new Error('refused')];
  start();
  server.queue(buildJob());
  await vi.waitFor(() => expect(server.builds).toHaveLength(1), 5000);
  expect(server.registered).toEqual([expect.objectContaining({ name: 'built-in', provisioners: ['process'], sandbox: SANDBOX })]);
  server.failing = [new Error('gone'), new Error('gone')];
  server.queue(buildJob());
  await vi.waitFor(() => expect(server.builds).toHaveLength(2), 5000);
});

it.each([
  ['the key is wrong', new KeyRejected('Sign in.'), /rejects the provisioner key/],
  ['the registration is invalid', new Refused('tags: at most 32'), /rejects the registration of this daemon: tags: at most 32/],
])('ends at once when %s', async (_, failure, message) => {
  server.failing = [failure];
  await expect(start().ended).rejects.toThrow(message);
  expect(server.registered).toEqual([]);
});

it('ends when its key is deleted while it waits for jobs, and not for any other refusal', async () => {
  const log = vi.fn<Log>();
  const daemon = start({ concurrency: 1, log });
  await vi.waitFor(() => expect(server.registered).toHaveLength(1), 5000);
  server.failing = [new Refused('not now'), new KeyRejected('deleted')];
  server.queue(buildJob());
  await expect(daemon.ended).rejects.toThrow(DaemonRejected);
  expect(server.builds.length).toBeLessThanOrEqual(1);
  expect(log).toHaveBeenCalledWith(
    'warn',
    'asking for a job failed; trying again',
    expect.objectContaining({ error: 'not now', retry_in_ms: 100 }),
  );
});

it('works on as many jobs at a time as it may, and no more', async () => {
  let [running, most] = [0, 0];
  const gates: (() => void)[] = [];
  driver.onApply = async () => {
    most = Math.max(most, (running += 1));
    await new Promise<void>((resolve) => gates.push(resolve));
    running -= 1;
    return NOTHING_APPLIED;
  };
  start();
  for (let count = 0; count < 5; count += 1) server.queue(buildJob());
  for (let done = 1; done <= 5; done += 1) {
    await vi.waitFor(() => expect(gates.length).toBeGreaterThanOrEqual(Math.min(done + 1, 5)), 5000);
    gates[done - 1]?.();
    await vi.waitFor(() => expect(server.builds).toHaveLength(done), 5000);
  }
  expect(most).toBe(2);
});

it('asked to end, lets a running job finish and takes no other', async () => {
  const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  driver.onApply = async () => {
    begun.resolve();
    await go.promise;
    return NOTHING_APPLIED;
  };
  const daemon = start({ concurrency: 1 });
  server.queue(buildJob());
  await begun.promise;
  const drained = daemon.drain();
  server.queue(buildJob());
  go.resolve();
  await drained;
  expect(server.builds).toHaveLength(1);
});

it('asked to end, hands back what does not finish in time', async () => {
  const begun = Promise.withResolvers<void>();
  driver.onApply = (context) => untilStopped(context, begun.resolve);
  const daemon = start({ drainMs: 1 });
  server.queue(buildJob());
  await begun.promise;
  await daemon.drain();
  expect(server.builds).toEqual([]);
  expect(server.failures).toEqual([]);
});

it('ends when another process took over its name', async () => {
  const daemon = start();
  await vi.waitFor(() => expect(server.registered).toHaveLength(1), 5000);
  server.leaseLost = true;
  server.queue(buildJob());
  await expect(daemon.ended).rejects.toThrow('lease');
});

it('tells the server that it takes no more, and at last that it is gone, even when the server does not answer', async () => {
  const daemon = start();
  await vi.waitFor(() => expect(server.registered).toHaveLength(1));
  server.queue(buildJob());
  await vi.waitFor(() => expect(server.builds).toHaveLength(1));
  await daemon.drain();
  expect(server.goodbyes).toEqual([false, true]);
  server.drainDaemon = () => Promise.reject(new Error('gone'));
  await daemon.drain();
});
