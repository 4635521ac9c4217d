import assert from 'node:assert/strict';
import { newId } from '@berth/core';
import { Prisma } from '@berth/db';
import type { JobStatus } from '@berth/domain';
import { JOB_STATUS_TRANSITIONS, isJobActive } from '@berth/domain';
import fc from 'fast-check';
import { test } from 'vitest';
import { LEASE_SECONDS } from '../provisioner-jobs/lease.ts';
import { reapLostJobs } from '../provisioner-jobs/reap.ts';
import { jobStatusSql } from '../provisioner-jobs/status-sql.ts';
import type { Daemon } from './test-provisioner.ts';
import { RESOURCE, createTestProvisioner } from './test-provisioner.ts';

const { prisma, services, clock, make, api, callAsUser, givenDaemon, givenWaitingBuild, acquire, line } = await createTestProvisioner();

const DAEMONS = ['one', 'two', 'three'] as const;

/** Everything that a daemon may write about a job. */
interface Snapshot {
  readonly status: JobStatus;
  readonly leaseToken: string | null;
  /** Whatever must stay as it is once the job has ended, and whenever a stale lease knocks. */
  readonly content: string;
}

async function snapshots(jobIds: readonly string[]): Promise<Map<string, Snapshot>> {
  const rows = await prisma.$queryRaw<(Snapshot & { id: string })[]>(Prisma.sql`
    SELECT j.id, ${jobStatusSql('j')} AS status, j.lease_token::text AS "leaseToken", jsonb_build_object(
      'job', to_jsonb(j),
      'logs', (SELECT jsonb_agg(to_jsonb(l) ORDER BY l.id) FROM provisioner_job_logs l WHERE l.job_id = j.id),
      'timings', (SELECT jsonb_agg(to_jsonb(t) ORDER BY t.id) FROM provisioner_job_timings t WHERE t.job_id = j.id),
      'resources', (SELECT jsonb_agg(r.id ORDER BY r.id) FROM workspace_resources r WHERE r.job_id = j.id),
      'agents', (SELECT jsonb_agg(jsonb_build_array(a.id, a.hashed_token) ORDER BY a.id)
        FROM workspace_agents a JOIN workspace_resources r ON r.id = a.resource_id WHERE r.job_id = j.id),
      'build', (SELECT to_jsonb(b) FROM workspace_builds b WHERE b.job_id = j.id)
    )::text AS content
    FROM provisioner_jobs j WHERE j.id = ANY (${[...jobIds]}::uuid[])`);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

async function snapshot(jobId: string): Promise<Snapshot> {
  const row = (await snapshots([jobId])).get(jobId);
  if (row === undefined) throw new Error('a job is gone');
  return row;
}

const which = fc.nat({ max: 1000 });
const daemon = fc.constantFrom(...DAEMONS);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('enqueue' as const),
      transition: fc.constantFrom('start' as const, 'stop' as const, 'delete' as const),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('acquire' as const), daemon }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom('heartbeat' as const, 'plan' as const, 'complete' as const, 'fail' as const, 'stopped' as const),
      which,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('restart' as const, 'drain' as const, 'leave' as const), daemon }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('silence' as const), seconds: fc.integer({ min: 1, max: LEASE_SECONDS * 2 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One organization's queue, the daemons on it, and every lease that was ever given out: most of them are over. */
class World {
  readonly #owner: string;
  readonly #daemons = new Map<string, Daemon>();
  readonly #builds: { readonly id: string; readonly jobId: string }[] = [];
  readonly #leases: { readonly job_id: string; readonly lease_token: string }[] = [];
  readonly #last = new Map<string, Snapshot>();
  readonly #ended = new Map<string, Snapshot>();

  constructor(owner: string) {
    this.#owner = owner;
  }

  async start(): Promise<void> {
    for (const name of DAEMONS) this.#daemons.set(name, await givenDaemon(name));
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'enqueue': {
        const { build } = await givenWaitingBuild(step.transition);
        this.#builds.push(build);
        break;
      }
      case 'acquire': {
        const job = await acquire(this.#daemon(step.daemon));
        if (job !== null) this.#leases.push({ job_id: job.id, lease_token: job.lease_token });
        break;
      }
      case 'restart':
        this.#daemons.set(step.daemon, await givenDaemon(step.daemon));
        break;
      case 'drain':
      case 'leave':
        await api().drainDaemon({ ...this.#daemon(step.daemon), left: step.do === 'leave' });
        break;
      case 'silence':
        clock.advance(step.seconds * 1000);
        await reapLostJobs(services);
        break;
      case 'cancel': {
        const build = this.#builds[step.which % this.#builds.length];
        if (build !== undefined) await this.#cancel(build);
        break;
      }
      default: {
        const lease = this.#leases[step.which % this.#leases.length];
        if (lease !== undefined) await this.#report(lease, step.do);
      }
    }
    await this.#look();
  }

  #daemon(name: string): Daemon {
    const found = this.#daemons.get(name);
    if (found === undefined) throw new Error('no such daemon');
    return found;
  }

  async #cancel({ id, jobId }: { id: string; jobId: string }): Promise<void> {
    const { status } = await snapshot(jobId);
    const asked = callAsUser(this.#owner).builds.cancel({ workspacebuild: id });
    if (status === 'pending' || status === 'running') await asked;
    else await assert.rejects(asked, { code: 'BAD_REQUEST' });
  }

  /** What a daemon says about a job with a lease that it once had: done if it still has it, else refused and without a trace. */
  async #report(
    lease: { job_id: string; lease_token: string },
    what: 'heartbeat' | 'plan' | 'complete' | 'fail' | 'stopped',
  ): Promise<void> {
    const before = await snapshot(lease.job_id);
    const said = {
      heartbeat: () => api().heartbeat({ ...lease, logs: [line('said')] }),
      plan: () => api().planned({ ...lease, resources: [RESOURCE] }),
      complete: () => api().completeBuild({ ...lease, state: Buffer.from(newId()).toString('base64'), timings: [TIMING] }),
      fail: () => api().failJob({ ...lease, error: 'broken', error_code: '', canceled: false, state: '' }),
      stopped: () => api().failJob({ ...lease, error: '', error_code: '', canceled: true }),
    }[what]();
    if (before.leaseToken === lease.lease_token) {
      await said;
      return;
    }
    await assert.rejects(said, { code: 'CONFLICT' });
    assert.deepEqual(await snapshot(lease.job_id), before);
  }

  /** Every job went a way that there is, and one that has ended is as it was. */
  async #look(): Promise<void> {
    for (const [jobId, now] of await snapshots(this.#builds.map((build) => build.jobId))) {
      const before = this.#last.get(jobId);
      this.#last.set(jobId, now);
      assert.equal(now.leaseToken === null, now.status === 'pending' || !isJobActive(now.status));
      if (before === undefined || before.status === now.status) continue;
      assert.ok(JOB_STATUS_TRANSITIONS[before.status].includes(now.status), `${before.status} → ${now.status}`);
    }
    for (const { jobId } of this.#builds) {
      const ended = this.#ended.get(jobId);
      const now = this.#last.get(jobId);
      if (now === undefined || isJobActive(now.status)) continue;
      if (ended === undefined) this.#ended.set(jobId, now);
      else assert.deepEqual(now, ended);
    }
  }

  /** Whoever is left finishes what is left: nothing is stuck. */
  async finish(): Promise<void> {
    clock.advance(LEASE_SECONDS * 2000);
    await reapLostJobs(services);
    await this.#look();
    const last = await givenDaemon('last');
    for (let job = await acquire(last); job !== null; job = await acquire(last)) {
      await this.#look();
      await api().completeBuild({ job_id: job.id, lease_token: job.lease_token, state: '', timings: [] });
      await this.#look();
    }
    for (const [jobId, { status }] of this.#last) assert.equal(isJobActive(status), false, jobId);
  }
}

const TIMING = {
  stage: 'apply',
  source: 'process',
  action: 'start',
  resource: '',
  started_at: '2026-01-01T00:00:00Z',
  ended_at: '2026-01-01T00:00:01Z',
} as const;

test('no path leaves a final state, a stale lease never writes anything, and nothing is stuck in the end', async () => {
  const owner = await make.user({ siteRoles: ['owner'] });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 45 }), async (steps) => {
      const world = new World(owner.id);
      await world.start();
      for (const one of steps) await world.take(one);
      await world.finish();
    }),
    { numRuns: 12 },
  );
}, 120_000);
