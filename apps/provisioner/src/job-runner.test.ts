import { ManualClock } from '@berth/core';
import type { ProvisionerJob } from '@berth/protocol';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DriverError } from './driver.ts';
import { runJob } from './job-runner.ts';
import { Refused } from './server.ts';
import { FakeDriver, NOTHING_APPLIED, untilStopped } from './testing/fake-driver.ts';
import { FakeServer } from './testing/fake-server.ts';
import { buildJob, dryRunJob, importJob } from './testing/jobs.ts';

let workDir = '';
let server: FakeServer;
let driver: FakeDriver;
let clock: ManualClock;

beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'berth-jobs-'));
  server = new FakeServer();
  driver = new FakeDriver();
  clock = new ManualClock();
});
afterEach(() => rm(workDir, { recursive: true, force: true }));

const run = (job: ProvisionerJob) => runJob(job, { server, drivers: [driver], clock, log: () => {}, workDir, heartbeatMs: 5, batchMs: 1 });

describe('a job', () => {
  it('imports: unpacks the archive, reads it, completes with what was found, and cleans up', async () => {
    server.files = { 'berth.yaml': 'version: 1', 'README.md': 'hello' };
    driver.onParse = async (_, directory) => expect(await readFile(join(directory, 'README.md'), 'utf8')).toBe('hello');
    const job = importJob();
    await run(job).done;
    expect(server.failures).toEqual([]);
    expect(server.imports).toEqual([expect.objectContaining({ job_id: job.id, lease_token: job.lease_token })]);
    expect(existsSync(join(workDir, job.id))).toBe(false);
  });

  it('builds: tells the plan before it applies it, completes with state and timings', async () => {
    const order: string[] = [];
    driver.onPlan = async (_, source) => void (order.push('plan'), await source(), await source());
    driver.onApply = async () => (order.push(`apply after ${server.planned_.length} planned`), NOTHING_APPLIED);
    await run(buildJob()).done;
    expect(order).toEqual(['plan', 'apply after 1 planned']);
    expect(server.downloads).toBe(1);
    expect(server.builds).toEqual([expect.objectContaining({ state: Buffer.from('state').toString('base64') })]);
    expect(server.builds[0]?.timings.map((timing) => timing.stage)).toEqual(['init', 'plan', 'apply']);
  });

  it('reports the variables of a template whose import fails after they were read', async () => {
    const variable = {
      name: 'size',
      description: '',
      type: 'number',
      value: '',
      default_value: '1',
      required: false,
      sensitive: false,
    } as const;
    driver.onParse = async () => {
      throw new DriverError('too small', { variables: [variable] });
    };
    await run(importJob()).done;
    expect(server.failures).toEqual([expect.objectContaining({ error: 'too small', variables: [variable] })]);
  });

  it('stops and deletes without its archive', async () => {
    await run(buildJob({ transition: 'delete' })).done;
    expect(server.downloads).toBe(0);
    expect(server.builds).toHaveLength(1);
  });

  it('sends every line of log, once, in order, also across failures, lost answers and batches', async () => {
    const count = 2345;
    driver.onApply = async ({ log }) => {
      for (let line = 0; line < count; line += 1) {
        if (line % 500 === 250) await new Promise((resolve) => setImmediate(resolve));
        if (line === 700 || line === 1700) server.losing.push(new Error('the answer was lost'));
        if (line === 1200) server.failing.push(new Error('connection lost'));
        log('info', `line ${line}`);
      }
      return NOTHING_APPLIED;
    };
    await run(buildJob()).done;
    expect(server.builds).toHaveLength(1);
    expect(server.logs.map((log) => log.output)).toEqual(Array.from({ length: count }, (_, line) => `line ${line}`));
  });

  it('cuts long lines, drops what no database takes, and keeps debug lines for those who ask', async () => {
    driver.onApply = async ({ log }) => {
      log('info', `a\n${'x'.repeat(10_000)}\0`);
      log('debug', 'inside');
      return NOTHING_APPLIED;
    };
    await run(buildJob()).done;
    expect(server.logs.map((log) => log.output.length)).toEqual([1, 8192, 10_000 - 8192]);
    await run(buildJob({ log_level: 'debug' })).done;
    expect(server.logs.at(-1)).toMatchObject({ level: 'debug', output: 'inside' });
  });

  it("fails with the driver's own words, code and state", async () => {
    driver.onApply = async () => {
      throw new DriverError('berth.yaml:3: no', { code: 'REQUIRED_TEMPLATE_VARIABLES', state: Buffer.from('left') });
    };
    await run(buildJob()).done;
    expect(server.failures).toEqual([
      expect.objectContaining({
        error: 'berth.yaml:3: no',
        error_code: 'REQUIRED_TEMPLATE_VARIABLES',
        canceled: false,
        state: Buffer.from('left').toString('base64'),
      }),
    ]);
    expect(server.logs.at(-1)).toMatchObject({ level: 'error', stage: 'apply', output: 'berth.yaml:3: no' });
  });

  it('names the stage that the driver was in when it failed', async () => {
    driver.onPlan = async (context) => {
      await context.inStage('init', async ({ log }) => log('info', 'ready'));
      context.log('info', 'planning');
      await context.inStage('init', async () => {
        throw new DriverError('no provider');
      });
    };
    await run(buildJob()).done;
    expect(server.logs.map(({ level, stage, output }) => [level, stage, output])).toEqual([
      ['info', 'init', 'ready'],
      ['info', 'plan', 'planning'],
      ['error', 'init', 'no provider'],
    ]);
  });

  it('fails with a readable reason when something unexpected breaks, or the server refuses', async () => {
    driver.onPlan = async () => {
      throw new TypeError('x is not a function');
    };
    await run(buildJob()).done;
    expect(server.failures[0]).toMatchObject({ error: 'The provisioner failed: x is not a function', canceled: false });
    driver.onPlan = async (_, source) => void (await source());
    server.files = { '../out': '' };
    await run(buildJob()).done;
    expect(server.failures[1]?.error).toContain('leads out of the folder');
    driver.onPlan = async () => void server.failing.push(new Refused('resources: too many'));
    server.files = {};
    await run(buildJob()).done;
    expect(server.failures[2]?.error).toContain('The server refused what the template describes: resources: too many');
  });

  it('when cancelled, stops the driver and says that it was cancelled', async () => {
    driver.onApply = (context) => untilStopped(context, () => (server.cancel = true));
    await run(buildJob()).done;
    expect(server.failures).toEqual([expect.objectContaining({ canceled: true, error: '' })]);
    expect(server.builds).toEqual([]);
  });

  it('when its lease is lost, stops the driver at once and says nothing more', async () => {
    driver.onApply = (context) => untilStopped(context, () => (server.leaseLost = true));
    await run(buildJob()).done;
    expect(server.failures).toEqual([]);
    expect(server.builds).toEqual([]);
  });

  it('when its lease is lost after it was cancelled, comes to an end', async () => {
    driver.onApply = async (context) => {
      await untilStopped(context, () => (server.cancel = true)).catch(() => {});
      server.leaseLost = true;
      throw new Error('stopped');
    };
    await run(buildJob()).done;
    expect(server.failures).toEqual([]);
  });

  it('when the server is silent for as long as the lease, is given up', async () => {
    driver.onApply = (context) =>
      untilStopped(context, () => {
        server.failing = Array.from({ length: 100 }, () => new Error('no route'));
        clock.advance(31_000);
      });
    await run(buildJob()).done;
    expect(server.failures).toEqual([]);
    expect(server.builds).toEqual([]);
  });

  it('that is handed back is stopped without a word, so that another daemon takes it over', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    driver.onApply = (context) => untilStopped(context, resolve);
    const running = run(buildJob());
    await promise;
    running.handBack();
    await running.done;
    expect(server.failures).toEqual([]);
    expect(server.builds).toEqual([]);
  });

  it('that is handed back while it made what cannot be made twice is failed with what is to be kept', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    driver.onApply = async (context) => {
      await untilStopped(context, resolve).catch(() => {});
      throw new DriverError('interrupted', { state: Buffer.from('half') });
    };
    const running = run(buildJob());
    await promise;
    running.handBack();
    await running.done;
    expect(server.failures).toEqual([
      expect.objectContaining({
        error: expect.stringContaining('build again'),
        canceled: false,
        state: Buffer.from('half').toString('base64'),
      }),
    ]);
  });

  it('that has made everything keeps it, also when the server refuses what was made', async () => {
    driver.onApply = async () => {
      server.failing.push(new Refused('resources: too many'));
      return { ...NOTHING_APPLIED, resources: [] };
    };
    await run(buildJob()).done;
    expect(server.failures).toEqual([expect.objectContaining({ state: Buffer.from(NOTHING_APPLIED.state).toString('base64') })]);
  });

  it('that is a dry run tells what a first start would make, and makes nothing', async () => {
    driver.resources = [];
    driver.onApply = () => Promise.reject(new Error('applied'));
    const job = dryRunJob();
    await run(job).done;
    expect(server.dryRuns).toEqual([{ job_id: job.id, lease_token: job.lease_token, resources: [] }]);
    expect(server.failures).toEqual([]);
  });

  it('for a driver that this daemon does not have fails and says so', async () => {
    await run(buildJob({ provisioner: 'terraform' })).done;
    expect(server.failures).toEqual([expect.objectContaining({ error: 'This provisioner has no driver for terraform templates.' })]);
  });

  it('whose tool made tokens of its own tells them before it ends', async () => {
    driver.onApply = async () => ({ ...NOTHING_APPLIED, resources: [] });
    await run(buildJob()).done;
    expect(server.planned_).toHaveLength(2);
    expect(server.builds).toHaveLength(1);
  });

  it('that another daemon began says so in its log', async () => {
    await run(buildJob({ attempt: 2 })).done;
    expect(server.logs[0]).toMatchObject({ level: 'warn', output: expect.stringContaining('attempt 2') });
  });
});
