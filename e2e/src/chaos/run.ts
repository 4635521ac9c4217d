import { type Client, createClient } from '@berth/client';
import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type SeenProcess, agentsOf, processesNaming } from '../processes.ts';
import { EVENT_KINDS, planEvents } from './events.ts';
import type { EventKind } from './events.ts';
import { type Evidence, collect, openJobs, watchEnds } from './evidence.ts';
import { judge } from './judge.ts';
import { type LoadReport, patientClient, runLoad } from './load.ts';
import { type Product, startProduct } from './product.ts';
import { seeded } from './random.ts';
import { installChaosTemplate } from './template.ts';
import { eventually } from './wait.ts';

export interface ChaosOptions {
  readonly kills: number;
  readonly seed: string;
  /** The events end after this time, however many are left. */
  readonly minutes: number;
  readonly users: number;
  readonly workspacesEach: number;
  /** Less quiet time between the events. */
  readonly isShort?: boolean;
  readonly say: (line: string) => void;
}

export interface ChaosReport {
  /** What did not hold, with its evidence; empty when all is well. */
  readonly violations: readonly string[];
  /** One line for each fact worth knowing. */
  readonly summary: readonly string[];
  /** Where the evidence lies; undefined when nothing was violated. */
  readonly keptIn: string | undefined;
}

/**
 * A job may be lost without a word twice more: each time its lease runs out, is noticed, and the next attempt waits for agents that do
 * not end.
 */
const LAST_JOB_MS = 240_000;
const HEALTHY_MS = 60_000;
/** The next event does not wait longer for a server that was frozen, or does not find its database. */
const PATIENCE_MS = 15_000;
const OWNER = { email: 'ada@example.com', username: 'ada', name: 'Ada', password: 'seven-quiet-harbours-42' } as const;

/** Runs the product under a stream of builds while its parts are killed, and judges what is left. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const random = seeded(options.seed);
  const product = await startProduct(options.say);
  const violations: string[] = [];
  const facts: string[] = [];
  let isDone = false;
  try {
    await runAgainst({ product, options, violations, facts, random });
    isDone = true;
  } catch (error) {
    violations.push(`The run could not go on: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  const { dataDir } = product.berth;
  if (isDone && violations.length === 0) {
    await product.dispose();
    return { violations, summary: facts, keptIn: undefined };
  }
  await product.stop().catch(() => undefined);
  await writeFile(join(dataDir, 'chaos-server.log'), product.berth.log());
  await writeFile(join(dataDir, 'chaos-daemon.log'), product.daemonLog());
  await writeFile(join(dataDir, 'chaos-violations.log'), violations.join('\n\n'));
  return { violations, summary: facts, keptIn: dataDir };
}

interface Run {
  readonly product: Product;
  readonly options: ChaosOptions;
  readonly violations: string[];
  readonly facts: string[];
  readonly random: ReturnType<typeof seeded>;
}

async function runAgainst({ product, options, violations, facts, random }: Run): Promise<void> {
  const { berth } = product;
  const { owner, users, templates } = await prepare(product, options);
  const ending = new AbortController();
  const load = runLoad({
    url: berth.url,
    users,
    workspacesEach: options.workspacesEach,
    templates,
    random: random.fork('load'),
    signal: ending.signal,
  });
  const startedAt = performance.now();
  const struck = new Map<EventKind, number>();
  const hasTime = (): boolean => performance.now() - startedAt < options.minutes * 60_000;
  for (const event of planEvents(random.fork('events'), options.kills, options.isShort ?? false)) {
    if (event.waits) await product.answers(PATIENCE_MS);
    await sleep(event.afterMs);
    if (!hasTime()) break;
    const victims = await product.strike(event);
    struck.set(event.kind, (struck.get(event.kind) ?? 0) + 1);
    options.say(`${String(event.number).padStart(4)}  ${event.kind}: ${victims}`);
  }
  ending.abort();
  const loaded = await load;
  violations.push(...loaded.violations);
  await product.calm();
  const endedIn = await allJobsEnd(berth.dataDir, violations);
  await checkRunning(owner, violations);
  await deleteAll(owner, berth.dataDir, violations);
  const evidence = await collect(berth.dataDir);
  violations.push(...judge(evidence));
  await checkAudit(berth.dataDir, violations);
  await checkLeftovers(product, evidence, violations);
  const took = Math.round((performance.now() - startedAt) / 1000);
  facts.push(...summarize({ options, struck, loaded, evidence, endedIn, took, unbidden: product.unbidden() }));
}

interface Prepared {
  readonly owner: Client;
  readonly users: { name: string; token: string }[];
  readonly templates: string[];
}

async function prepare(product: Product, { users: count }: ChaosOptions): Promise<Prepared> {
  const { url, dataDir } = product.berth;
  const anonymous = createClient({ url });
  await anonymous.users.createFirst.mutate({ ...OWNER });
  const signIn = async (email: string): Promise<string> =>
    (await anonymous.auth.login.mutate({ email, password: OWNER.password })).session_token;
  const token = await signIn(OWNER.email);
  const owner = createClient({ url, token });
  const [organization] = await owner.organizations.list.query({});
  if (organization === undefined) throw new Error('There is no organization.');
  const users: Prepared['users'] = [];
  for (let index = 1; index <= count; index += 1) {
    const [name, email] = [`user${index}`, `user${index}@example.com`];
    await owner.users.create.mutate({
      username: name,
      email,
      name: '',
      login_type: 'password',
      password: OWNER.password,
      organization_ids: [organization.id],
    });
    users.push({ name, token: await signIn(email) });
  }
  const { key } = await owner.provisionerKeys.create.mutate({ organization: 'default', name: 'other-host', tags: { chaos: 'yes' } });
  product.startDaemon(key);
  const templates = [
    await installChaosTemplate({ url, token, client: owner, name: 'here', tags: {} }),
    await installChaosTemplate({ url, token, client: owner, name: 'there', tags: { chaos: 'yes' } }),
  ];
  await watchEnds(dataDir);
  return { owner: patientClient(url, token), users, templates };
}

/** No build is stuck. Answers how long the last job took, in seconds. */
async function allJobsEnd(dataDir: string, violations: string[]): Promise<number> {
  const since = performance.now();
  const isQuiet = await eventually(LAST_JOB_MS, async () => ((await openJobs(dataDir)).length === 0 ? true : undefined));
  if (isQuiet !== true) {
    const open = await openJobs(dataDir);
    violations.push(`These jobs did not end within ${LAST_JOB_MS / 1000} s of the last event:\n${open.join('\n')}`);
  }
  return Math.round((performance.now() - since) / 1000);
}

const show = (processes: readonly SeenProcess[]): string => processes.map(({ pid, command }) => `${pid} ${command}`).join('\n');

/** What should run runs, once; what should not does not. */
async function checkRunning(owner: Client, violations: string[]): Promise<void> {
  const { workspaces } = await owner.workspaces.list.query({ q: '', limit: 500 });
  for (const { id, name, latest_build: build } of workspaces) {
    if (build.status === 'running') {
      const load = () => owner.workspaces.get.query({ workspace: id });
      const healthy = await eventually(HEALTHY_MS, async () => ((await load()).health.healthy ? true : undefined));
      if (healthy !== true) {
        const agents = build.resources.flatMap((resource) => resource.agents);
        const states = agents.map((agent) => `${agent.id} ${agent.status} ${agent.lifecycle_state}`);
        violations.push(`${name} (${id}) runs, and its agent does not come within ${HEALTHY_MS / 1000} s: ${states.join(', ')}`);
      }
      const agents = await agentsOf(id);
      if (agents.length !== 1) violations.push(`${name} (${id}) runs, with ${agents.length} agents:\n${show(agents)}`);
    }
    if (build.status === 'stopped') {
      const left = await processesNaming(id);
      if (left.length > 0) violations.push(`${name} (${id}) is stopped, and runs:\n${show(left)}`);
    }
  }
}

/** No workspace that cannot be deleted: at the first try, now that nothing dies any more. */
async function deleteAll(owner: Client, dataDir: string, violations: string[]): Promise<void> {
  const { workspaces } = await owner.workspaces.list.query({ q: '', limit: 500 });
  for (const { id } of workspaces) await owner.builds.create.mutate({ workspace: id, transition: 'delete' });
  await allJobsEnd(dataDir, violations);
  for (const { id, name } of workspaces) {
    const { latest_build: build } = await owner.workspaces.get.query({ workspace: id, include_deleted: true });
    if (build.status !== 'deleted') violations.push(`${name} (${id}) cannot be deleted: ${build.status} ${build.job.error}`);
  }
}

/** The chain of the audit log, by the program that people use for it. */
async function checkAudit(dataDir: string, violations: string[]): Promise<void> {
  const program = fileURLToPath(new URL('../../../apps/server/src/audit-verify.ts', import.meta.url));
  const env = { PATH: process.env['PATH'], BERTH_DATA_DIR: dataDir };
  const said = await promisify(execFile)(process.execPath, [program], { env }).then(
    ({ stdout }) => stdout,
    (error: unknown) => String(error),
  );
  if (!said.includes('unbroken')) violations.push(`The audit log does not verify: ${said}`);
}

/** Nothing runs and nothing lies about of a deleted workspace; nothing at all runs once the server has ended. */
async function checkLeftovers(product: Product, { builds }: Evidence, violations: string[]): Promise<void> {
  const { dataDir } = product.berth;
  const show = (left: Awaited<ReturnType<typeof processesNaming>>): string =>
    left.map(({ pid, command }) => `${pid} ${command}`).join('\n');
  const ids = new Set(builds.map(({ workspace }) => workspace));
  const all = await processesNaming(dataDir);
  const orphans = all.filter(({ command, environment }) => [...ids].some((id) => `${command}\n${environment}`.includes(id)));
  if (orphans.length > 0) violations.push(`These processes of deleted workspaces are left:\n${show(orphans)}`);
  for (const folder of ['provisioner', 'other-host']) {
    const left = await readdir(join(dataDir, folder, 'workspaces')).catch(() => []);
    if (left.length > 0) violations.push(`These folders of deleted workspaces are left in ${folder}: ${left.join(', ')}`);
  }
  await product.stop();
  const left = await processesNaming(dataDir);
  if (left.length > 0) violations.push(`These processes are left after the end of the server:\n${show(left)}`);
}

interface Facts {
  readonly options: ChaosOptions;
  readonly struck: ReadonlyMap<EventKind, number>;
  readonly loaded: LoadReport;
  readonly evidence: Evidence;
  readonly endedIn: number;
  readonly took: number;
  readonly unbidden: number;
}

function summarize({ options, struck, loaded, evidence, endedIn, took, unbidden }: Facts): string[] {
  const { builds } = evidence;
  const outcomes = Object.groupBy(builds, ({ error, isCanceled }) => (error !== '' ? 'failed' : isCanceled ? 'canceled' : 'succeeded'));
  const count = (list: readonly unknown[] | undefined): number => list?.length ?? 0;
  const lines = builds.reduce((sum, { job }) => sum + (evidence.logs.get(job)?.length ?? 0), 0);
  const agentLines = evidence.agents.reduce((sum, agent) => sum + agent.lines.length, 0);
  const total = [...struck.values()].reduce((sum, times) => sum + times, 0);
  const asked = Object.entries(loaded.asked).map(([what, times]) => `${times} ${what}`);
  return [
    `seed            ${options.seed}`,
    `events          ${total} in ${took} s: ${EVENT_KINDS.flatMap((kind) => (struck.has(kind) ? [`${struck.get(kind)} ${kind}`] : [])).join(', ')}`,
    `the server      ended by itself ${unbidden} times`,
    `users asked for ${asked.join(', ')}; ${loaded.failed} calls failed`,
    `workspaces      ${new Set(builds.map(({ workspace }) => workspace)).size}`,
    `builds          ${builds.length}: ${count(outcomes['succeeded'])} succeeded, ${count(outcomes['failed'])} failed, ${count(outcomes['canceled'])} canceled`,
    `attempts        ${builds.reduce((sum, { attempt }) => sum + attempt, 0)}; ${builds.filter(({ attempt }) => attempt > 1).length} builds were taken over`,
    `log lines       ${lines} of builds, ${agentLines} of agents`,
    `the last job    ended ${endedIn} s after the last event`,
  ];
}
