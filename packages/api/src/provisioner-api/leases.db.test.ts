import { newId } from '@berth/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LEASE_SECONDS, MAX_ATTEMPTS } from '../provisioner-jobs/lease.ts';
import { reapLostJobs } from '../provisioner-jobs/reap.ts';
import { createTestProvisioner } from './test-provisioner.ts';

const {
  make,
  prisma,
  services,
  clock,
  callAs,
  api,
  principal,
  organizationId,
  user,
  givenDaemon,
  givenImport,
  givenWaitingBuild,
  acquire,
  acquired,
  line,
  logsOf,
} = await createTestProvisioner();

describe('the lease', () => {
  test('a lease that another daemon took over can finish nothing', async () => {
    const { job: queued } = await givenImport();
    const first = await acquired(await givenDaemon('first'));
    clock.advance(LEASE_SECONDS * 1000 + 1);
    await reapLostJobs(services);
    const second = await acquired(await givenDaemon('second'));
    expect(second.job).toMatchObject({ id: queued.id, attempt: 2 });

    const nothing = { readme: '', variables: [], parameters: [], start_resources: [], stop_resources: [] };
    const attempts = [
      () => api().heartbeat({ ...first.lease, logs: [line('from the past')] }),
      () => api().completeImport({ ...first.lease, ...nothing }),
      () => api().completeBuild({ ...first.lease, state: '', timings: [] }),
      () => api().planned({ ...first.lease, resources: [] }),
      () => api().failJob({ ...first.lease, error: 'too late', error_code: '', canceled: false }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'CONFLICT' });
    const row = await prisma.provisionerJob.findUniqueOrThrow({ where: { id: queued.id } });
    expect(row).toMatchObject({ completedAt: null, error: '', leaseToken: second.job.lease_token });
    expect(await logsOf(queued.id)).not.toContain('from the past');

    await expect(api().completeImport({ ...second.lease, ...nothing })).resolves.toEqual({});
    await expect(api().heartbeat({ ...second.lease, logs: [] })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('a provisioner of another organization cannot touch a job, even with its lease', async () => {
    await givenImport();
    const { lease } = await acquired(await givenDaemon());
    const stranger = callAs({ ...principal(), organizationId: (await make.organization()).id }).provisionerApi;
    await expect(stranger.heartbeat({ ...lease, logs: [] })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('heartbeats keep a job alive for longer than one lease', async () => {
    await givenImport();
    const { lease } = await acquired(await givenDaemon());
    for (let beat = 0; beat < 5; beat += 1) {
      clock.advance((LEASE_SECONDS - 5) * 1000);
      await expect(api().heartbeat({ ...lease, logs: [] })).resolves.toEqual({ cancel: false });
      await reapLostJobs(services);
    }
  });

  test('a job that three daemons lost fails with a reason', async () => {
    const { job: queued } = await givenImport();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      expect((await acquired(await givenDaemon(`daemon-${attempt}`))).job.attempt).toBe(attempt);
      clock.advance(LEASE_SECONDS * 1000 + 1);
      await reapLostJobs(services);
    }
    expect(await acquire(await givenDaemon('last'))).toBeNull();
    const row = await prisma.provisionerJob.findUniqueOrThrow({ where: { id: queued.id } });
    expect(row.completedAt).not.toBeNull();
    expect(row.error).toContain('stopped responding');
    expect(await logsOf(queued.id)).toHaveLength(MAX_ATTEMPTS);
  });

  test('a build that three daemons lost has failed, which is in the audit log once', async () => {
    const { build } = await givenWaitingBuild('start');
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      expect(await prisma.auditLog.count({ where: { resourceId: build.id } })).toBe(0);
      await acquired(await givenDaemon(`daemon-${attempt}`));
      clock.advance(LEASE_SECONDS * 1000 + 1);
      await reapLostJobs(services);
    }
    const audited = await prisma.auditLog.findMany({ where: { resourceId: build.id } });
    expect(audited).toEqual([expect.objectContaining({ resourceId: build.id, action: 'start', statusCode: 500 })]);
  });

  test('a daemon that registers anew gives up the jobs of its former session at once', async () => {
    const { job: queued } = await givenImport();
    const old = await acquired(await givenDaemon('same'));
    const again = await givenDaemon('same');
    await expect(api().heartbeat({ ...old.lease, logs: [] })).rejects.toMatchObject({ code: 'CONFLICT' });
    const taken = await acquired(again);
    expect(taken.job).toMatchObject({ id: queued.id, attempt: 2 });
  });

  test('a daemon that only lost its connection keeps its jobs', async () => {
    await givenImport();
    const sessionId = newId();
    const { lease } = await acquired(await givenDaemon('same', { sessionId }));
    await givenDaemon('same', { sessionId });
    await expect(api().heartbeat({ ...lease, logs: [] })).resolves.toEqual({ cancel: false });
  });

  test('a living daemon cannot lose its name to one with another key', async () => {
    const { daemon_id } = await givenDaemon('same');
    const key = await prisma.provisionerKey.create({
      data: { id: newId(), organizationId: organizationId(), name: 'other', hashedSecret: new TextEncoder().encode(newId()) },
    });
    const other = callAs({ ...principal(), keyId: key.id });
    const input = {
      name: 'same',
      session_id: newId(),
      version: '',
      provisioners: ['process' as const],
      tags: {},
      sandbox: { kind: 'none' as const, detail: '' },
    };
    await expect(other.provisionerApi.registerDaemon(input)).rejects.toMatchObject({ code: 'CONFLICT' });
    clock.advance(10 * 60_000);
    await expect(other.provisionerApi.registerDaemon(input)).resolves.toEqual({ daemon_id });
  });
});

describe('logs', () => {
  test('lines arrive once and in order, also when a batch is sent twice or two times as one', async () => {
    const { job: queued } = await givenImport();
    const { lease } = await acquired(await givenDaemon());
    const first = [line('one'), line('two'), line('two')];
    const second = [line('two'), line('three', 5)];
    await api().heartbeat({ ...lease, sequence: 0, logs: first });
    await api().heartbeat({ ...lease, sequence: 0, logs: first });
    await api().heartbeat({ ...lease, sequence: 3, logs: second });
    await api().heartbeat({ ...lease, sequence: 0, logs: [...first, ...second] });
    await api().heartbeat({ ...lease, sequence: 5, logs: [] });
    expect(await logsOf(queued.id)).toEqual(['one', 'two', 'two', 'two', 'three']);
  });

  test('whatever answers are lost and whoever takes over, each attempt is in the log once, in order, up to where it was lost', async () => {
    const beat = fc.record({ said: fc.nat({ max: 4 }), batch: fc.integer({ min: 1, max: 5 }), isAnswerLost: fc.boolean() });
    const attempts = fc.array(fc.array(beat, { maxLength: 5 }), { minLength: 1, maxLength: MAX_ATTEMPTS });
    await fc.assert(
      fc.asyncProperty(attempts, async (plan) => {
        const { job: queued } = await givenImport();
        const expected: string[] = [];
        for (const [attempt, beats] of plan.entries()) {
          const { lease } = await acquired(await givenDaemon(`daemon-${attempt}`));
          // What the daemon knows: lines that wait, and the number of the first of them.
          let [sequence, written, delivered] = [0, 0, 0];
          // All lines are the same: nothing but their numbers tells them apart.
          const pending: string[] = [];
          for (const { said, batch, isAnswerLost } of beats) {
            for (let times = 0; times < said; times += 1) pending.push(`attempt ${attempt}`);
            written += said;
            const logs = pending.slice(0, batch).map((output) => line(output));
            await api().heartbeat({ ...lease, sequence, logs });
            delivered = Math.max(delivered, sequence + logs.length);
            if (isAnswerLost) continue;
            pending.splice(0, logs.length);
            sequence += logs.length;
          }
          expect(delivered).toBeLessThanOrEqual(written);
          for (let times = 0; times < delivered; times += 1) expected.push(`attempt ${attempt}`);
          clock.advance(LEASE_SECONDS * 1000 + 1);
          await reapLostJobs(services);
          await expect(api().heartbeat({ ...lease, sequence, logs: [line('stale')] })).rejects.toMatchObject({ code: 'CONFLICT' });
        }
        const said = (await logsOf(queued.id)).filter((output) => !output.includes('stopped responding'));
        expect(said).toEqual(expected);
        await prisma.provisionerJob.update({ where: { id: queued.id }, data: { completedAt: clock.now() } });
      }),
      { numRuns: 10 },
    );
  });

  test('a daemon that does not number its lines is believed', async () => {
    const { job: queued } = await givenImport();
    const { lease } = await acquired(await givenDaemon());
    await api().heartbeat({ ...lease, logs: [line('one')] });
    await api().heartbeat({ ...lease, logs: [line('one')] });
    expect(await logsOf(queued.id)).toEqual(['one', 'one']);
  });
});

describe('cancel', () => {
  test('a running job is told with its next heartbeat, and ends as canceled without a reason', async () => {
    const { job: queued, version } = await givenImport();
    const { lease } = await acquired(await givenDaemon());
    await user().templateVersions.cancel({ templateversion: version.id });
    await expect(api().heartbeat({ ...lease, logs: [] })).resolves.toEqual({ cancel: true });
    await api().failJob({ ...lease, error: '', error_code: '', canceled: true });
    const { job } = await user().templateVersions.get({ templateversion: version.id });
    expect(job).toMatchObject({ id: queued.id, status: 'canceled', error: '' });
  });

  test('a waiting job is canceled at once and never handed out', async () => {
    const { version } = await givenImport();
    const caller = user();
    await caller.templateVersions.cancel({ templateversion: version.id });
    expect((await caller.templateVersions.get({ templateversion: version.id })).job).toMatchObject({
      status: 'canceled',
      queue_position: 0,
    });
    expect(await acquire(await givenDaemon())).toBeNull();
    await expect(caller.templateVersions.cancel({ templateversion: version.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('a canceled job that its daemon lost is canceled, not queued again', async () => {
    const { job: queued, version } = await givenImport();
    await acquired(await givenDaemon());
    await user().templateVersions.cancel({ templateversion: version.id });
    clock.advance(LEASE_SECONDS * 1000 + 1);
    await reapLostJobs(services);
    const row = await prisma.provisionerJob.findUniqueOrThrow({ where: { id: queued.id } });
    expect(row).toMatchObject({ error: '' });
    expect(row.completedAt).not.toBeNull();
  });
});
