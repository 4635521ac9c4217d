import { type Client, createClient, errorOf } from '@berth/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesNaming } from '../processes.ts';
import type { Random } from './random.ts';

/** Counts of what the users did, and what no user may see. */
export interface LoadReport {
  readonly asked: Record<string, number>;
  /** Answers that only meant: not now. */
  failed: number;
  readonly violations: string[];
}

export interface LoadOptions {
  readonly url: string;
  readonly users: readonly { readonly name: string; readonly token: string }[];
  readonly workspacesEach: number;
  readonly templates: readonly string[];
  readonly random: Random;
  readonly signal: AbortSignal;
}

type Build = Awaited<ReturnType<Client['workspaces']['get']['query']>>['latest_build'];

const CALL_TIMEOUT_MS = 10_000;

/** A client whose calls end: what it asks may be lost with the server. */
export function patientClient(url: string, token: string): Client {
  return createClient({
    url,
    token,
    fetch: (input, init) =>
      fetch(input, { ...init, signal: AbortSignal.any([AbortSignal.timeout(CALL_TIMEOUT_MS), ...(init?.signal ? [init.signal] : [])]) }),
  });
}

/** Users who create, start, stop, update, cancel and delete workspaces until `signal` is aborted, whatever they are answered. */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const report: LoadReport = { asked: {}, failed: 0, violations: [] };
  const workspaces = options.users.flatMap((user) =>
    Array.from({ length: options.workspacesEach }, (_, index) => ({ user, place: `${user.name}-${index}` })),
  );
  await Promise.all(
    workspaces.map(({ user, place }) =>
      useWorkspace({ ...options, report, place, client: patientClient(options.url, user.token), random: options.random.fork(place) }),
    ),
  );
  return report;
}

interface Place extends LoadOptions {
  readonly report: LoadReport;
  readonly place: string;
  readonly client: Client;
}

/** One workspace after the other in one place, forever. */
async function useWorkspace({ client, random, place, templates, signal, report }: Place): Promise<void> {
  let name: string | undefined;
  let made = 0;
  const ask = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    report.asked[what] = (report.asked[what] ?? 0) + 1;
    await work();
  };
  const act = async (): Promise<void> => {
    if (name === undefined) {
      made += 1;
      name = `${place}-${made}`;
      const template = templates[random.between(0, templates.length - 1)];
      const create = { user: 'me', name, template_id: template, rich_parameter_values: [] };
      return await ask('create', () => client.workspaces.create.mutate(create));
    }
    const found = await client.workspaces.getByOwnerAndName
      .query({ user: 'me', workspacename: name, include_deleted: true })
      .catch((error: unknown) => {
        // What was never made, because the answer that failed was true.
        if (errorOf(error).kind === 'not_found') return null;
        throw error;
      });
    if (found === null || found.latest_build.status === 'deleted') {
      name = undefined;
      return;
    }
    await checkStopped(client, found.id, found.latest_build, report);
    const { id, latest_build: build } = found;
    const step = nextStep(build, random);
    const make = (transition: 'start' | 'stop' | 'delete') => client.builds.create.mutate({ workspace: id, transition });
    switch (step) {
      case 'wait':
        return;
      case 'cancel':
        return await ask(step, () => client.builds.cancel.mutate({ workspacebuild: build.id }));
      case 'update':
        return await ask(step, () =>
          client.builds.create.mutate({
            workspace: id,
            transition: 'start',
            rich_parameter_values: [{ name: 'mood', value: `mood ${random.between(1, 9)}` }],
          }),
        );
      default:
        return await ask(step, () => make(step));
    }
  };
  while (!signal.aborted) {
    try {
      await act();
    } catch (error) {
      const { kind, message } = errorOf(error);
      report.failed += 1;
      if (kind === 'unauthenticated' || kind === 'forbidden') report.violations.push(`${place} was answered ${kind}: ${message}`);
    }
    await sleep(random.between(150, 1200), undefined, { signal }).catch(() => undefined);
  }
}

type Step = 'start' | 'stop' | 'delete' | 'update' | 'cancel' | 'wait';

function nextStep(build: Build, random: Random): Step {
  switch (build.status) {
    case 'pending':
    case 'starting':
    case 'stopping':
    case 'deleting':
      return random.weighted({ wait: 93, cancel: 7 });
    case 'running':
      return random.weighted({ wait: 25, stop: 40, update: 15, delete: 20 });
    case 'stopped':
      return random.weighted({ wait: 15, start: 60, delete: 25 });
    case 'failed':
    case 'canceled':
      return random.weighted({ start: 50, stop: 20, delete: 30 });
    default:
      return 'wait';
  }
}

/** Nothing may run of a workspace that is stopped, as long as nobody starts it again. */
async function checkStopped(client: Client, id: string, build: Build, report: LoadReport): Promise<void> {
  if (build.status !== 'stopped') return;
  const left = await processesNaming(id);
  if (left.length === 0) return;
  const now = await client.workspaces.get.query({ workspace: id, include_deleted: true });
  if (now.latest_build.id !== build.id) return;
  report.violations.push(`Workspace ${id} is stopped, and runs: ${left.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`);
}
