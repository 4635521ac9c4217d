import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SocketClient } from '@berth/client';
import { createSocketClient } from '@berth/client';
import type { ProvisionerJob } from '@berth/protocol';
import { WebSocket } from 'ws';
import type { Latency } from '../machine/statistics.ts';
import { latencyOf } from '../machine/statistics.ts';
import type { SignedIn } from '../start/sign-in.ts';

const STARTER = 'shell';
const JOB_TIMEOUT_MS = 30_000;
const POLL_MS = 25_000;
/** Between two builds: the daemons wait for news again. */
const PAUSE_MS = 20;

export interface PickUpResult {
  readonly daemons: number;
  readonly builds: number;
  /** From the instant at which the build was queued until a daemon has it in its hands, in milliseconds. */
  readonly pickUp: Latency;
  /** Until the daemon has the lease, by the server's clock. */
  readonly leased: Latency;
  /** From the request that asks for the build until a daemon has it. */
  readonly fromRequest: Latency;
  /** How many builds each daemon took, the most first. */
  readonly shares: readonly number[];
}

/** Daemons that do nothing but wait for jobs and end them; `next` resolves with the job that one of them got. */
class WaitingDaemons {
  readonly shares: number[];
  readonly #closers: (() => Promise<void>)[] = [];
  #isOver = false;
  #arrived: (job: ProvisionerJob, at: number) => void = () => undefined;

  constructor(count: number) {
    this.shares = Array.from({ length: count }, () => 0);
  }

  async start(url: string, key: string): Promise<void> {
    for (const index of this.shares.keys()) {
      const { client, close } = createSocketClient({ url, headers: { 'service-provisioner-key': key }, WebSocket });
      this.#closers.push(close);
      const session_id = randomUUID();
      const { daemon_id } = await client.provisionerApi.registerDaemon.mutate({
        name: `bench-${index}`,
        session_id,
        version: 'bench',
        provisioners: ['process'],
        tags: {},
        sandbox: { kind: 'none', detail: '' },
      });
      void this.#work(client, { index, daemon_id, session_id });
    }
  }

  /** The next job that any of them gets, and when. */
  next(): Promise<{ job: ProvisionerJob; at: number }> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`No daemon got a job within ${JOB_TIMEOUT_MS / 1000} s.`)), JOB_TIMEOUT_MS);
      this.#arrived = (job, at) => {
        clearTimeout(timer);
        resolve({ job, at });
      };
    });
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#closers.map((close) => close()));
  }

  async #work(
    { provisionerApi: api }: SocketClient['client'],
    { index, ...session }: { index: number; daemon_id: string; session_id: string },
  ): Promise<void> {
    while (!this.#isOver) {
      const { job } = await api.acquireJob.mutate({ ...session, wait_ms: POLL_MS }).catch(() => ({ job: null }));
      const at = Date.now();
      if (job === null) continue;
      this.shares[index] = (this.shares[index] ?? 0) + 1;
      await end(api, job);
      this.#arrived(job, at);
    }
  }
}

async function end(api: SocketClient['client']['provisionerApi'], job: ProvisionerJob): Promise<void> {
  const lease = { job_id: job.id, lease_token: job.lease_token };
  if (job.kind === 'workspace_build') return void (await api.completeBuild.mutate({ ...lease, state: '', timings: [] }));
  await api.completeImport.mutate({ ...lease, readme: '', variables: [], parameters: [], start_resources: [], stop_resources: [] });
}

/** Queues build after build while daemons wait, and measures how soon one of them has it. */
export async function measurePickUp(
  url: string,
  { client }: SignedIn,
  options: { daemons: number; builds: number; log: (message: string) => void },
): Promise<PickUpResult> {
  const { key } = await client.provisionerKeys.create.mutate({
    organization: 'default',
    name: `bench-${randomUUID().slice(0, 8)}`,
    tags: {},
  });
  const daemons = new WaitingDaemons(options.daemons);
  await daemons.start(url, key);
  try {
    const imported = daemons.next();
    const template = await client.templates.installExample.mutate({ organization: 'default', example_id: STARTER });
    await imported;
    const built = daemons.next();
    const workspace = await client.workspaces.create.mutate({
      user: 'me',
      name: `bench-${randomUUID().slice(0, 8)}`,
      template_id: template.id,
    });
    await built;

    const [pickUp, leased, fromRequest]: [number[], number[], number[]] = [[], [], []];
    daemons.shares.fill(0);
    for (let turn = 0; turn < options.builds; turn += 1) {
      await sleep(PAUSE_MS);
      const arrival = daemons.next();
      const askedAt = Date.now();
      const build = await client.builds.create.mutate({ workspace: workspace.id, transition: turn % 2 === 0 ? 'stop' : 'start' });
      const { at } = await arrival;
      const { job } = await client.builds.get.query({ workspacebuild: build.id });
      const queuedAt = Date.parse(job.created_at);
      pickUp.push(at - queuedAt);
      leased.push(Date.parse(job.started_at ?? '') - queuedAt);
      fromRequest.push(at - askedAt);
    }
    const result = {
      daemons: options.daemons,
      builds: options.builds,
      pickUp: latencyOf(pickUp),
      leased: latencyOf(leased),
      fromRequest: latencyOf(fromRequest),
      shares: daemons.shares.toSorted((a, b) => b - a),
    };
    options.log(`pick-up: p50 ${result.pickUp.p50.toFixed(0)} ms, p95 ${result.pickUp.p95.toFixed(0)} ms`);
    return result;
  } finally {
    await daemons.stop();
  }
}
