import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@berth/client';
import type { PlannedWorkspace } from './cast.ts';
import { WORKSPACES } from './cast.ts';
import { SeedError } from './errors.ts';
import type { SignedIn } from './people.ts';
import { exists } from './people.ts';
import type { Progress } from './progress.ts';
import type { SeededTemplate } from './templates.ts';
import { noProvisioner } from './templates.ts';

const BUILD_TIMEOUT_MS = 120_000;
const ASK_EVERY_MS = 250;
const HOUR_MS = 60 * 60 * 1000;

export interface WorkspacesOptions {
  readonly templates: readonly SeededTemplate[];
  /** Who makes their own workspaces; the others' are made for them. */
  readonly signedIn: SignedIn;
  readonly progress: Progress;
}

/** Makes the workspaces that are missing and brings each new one into its state. One that was there stays as it is. Answers the new ones. */
export async function seedWorkspaces(client: Client, { templates, signedIn, progress }: WorkspacesOptions): Promise<PlannedWorkspace[]> {
  const made: PlannedWorkspace[] = [];
  for (const planned of WORKSPACES) {
    const label = `${planned.owner}/${planned.name}`;
    if (await exists(() => client.workspaces.getByOwnerAndName.query({ user: planned.owner, workspacename: planned.name }))) {
      progress.found(label);
      continue;
    }
    await make(signedIn.get(planned.owner)?.client ?? client, planned, templates);
    made.push(planned);
    progress.made(`${label}, ${planned.state}`);
  }
  return made;
}

async function make(client: Client, planned: PlannedWorkspace, templates: readonly SeededTemplate[]): Promise<void> {
  const { owner, name, parameters = {}, state, schedule, restarts = 0 } = planned;
  const template = templates.find((one) => one.name === planned.template);
  if (template === undefined) {
    throw new SeedError(
      `The server has no template "${planned.template}".`,
      'Start it from a complete clone: they are in the templates folder.',
    );
  }
  const { id } = await client.workspaces.create.mutate({
    user: owner,
    name,
    template_id: template.id,
    ...(schedule === undefined ? {} : { autostart_schedule: schedule.autostart, ttl_ms: schedule.hours * HOUR_MS }),
    rich_parameter_values: Object.entries(parameters).map(([parameter, value]) => ({ name: parameter, value })),
  });
  if (state === 'failed') return await settled(client, id, 'failed');
  await settled(client, id);
  const build = async (transition: 'start' | 'stop'): Promise<void> => {
    await client.builds.create.mutate({ workspace: id, transition });
    await settled(client, id);
  };
  for (let restart = 0; restart < restarts; restart += 1) {
    await build('stop');
    await build('start');
  }
  if (state === 'stopped') await build('stop');
}

/** Waits until the latest build of the workspace has ended as expected. */
async function settled(client: Client, id: string, expected: 'succeeded' | 'failed' = 'succeeded'): Promise<void> {
  const deadline = performance.now() + BUILD_TIMEOUT_MS;
  for (;;) {
    const { latest_build: build, name } = await client.workspaces.get.query({ workspace: id });
    const { status } = build.job;
    if (status === expected) return;
    if (status === 'succeeded' || status === 'failed' || status === 'canceled') {
      throw new SeedError(
        `The ${build.transition} of the workspace ${name} ended as ${status}, not as ${expected}: ${build.job.error}`,
        'Its build log is in the dashboard.',
      );
    }
    if (performance.now() > deadline) throw noProvisioner(`the workspace ${name}`);
    await sleep(ASK_EVERY_MS);
  }
}
