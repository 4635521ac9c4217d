import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@berth/client';
import type { PlannedWorkspace } from './cast.ts';
import { WORKSPACES } from './cast.ts';
import { SeedError } from './errors.ts';
import { exists } from './people.ts';
import type { Progress } from './progress.ts';
import type { SeededTemplate } from './templates.ts';
import { noProvisioner } from './templates.ts';

const BUILD_TIMEOUT_MS = 120_000;
const ASK_EVERY_MS = 250;
const HOUR_MS = 60 * 60 * 1000;

export interface WorkspacesOptions {
  readonly templates: readonly SeededTemplate[];
  readonly progress: Progress;
}

/** Makes the workspaces that are missing and brings each new one into its state. One that was there stays as it is. */
export async function seedWorkspaces(client: Client, { templates, progress }: WorkspacesOptions): Promise<void> {
  for (const planned of WORKSPACES) {
    const label = `${planned.owner}/${planned.name}`;
    if (await exists(() => client.workspaces.getByOwnerAndName.query({ user: planned.owner, workspacename: planned.name }))) {
      progress.found(label);
      continue;
    }
    await make(client, planned, templates);
    progress.made(`${label}, ${planned.state}`);
  }
}

async function make(client: Client, planned: PlannedWorkspace, templates: readonly SeededTemplate[]): Promise<void> {
  const { owner, name, parameters = {}, state, schedule } = planned;
  const template = templates.find((one) => one.name === planned.template);
  if (template === undefined) {
    throw new SeedError(
      `The server has no starter template "${planned.template}".`,
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
  await settled(client, id);
  if (state === 'running') return;
  await client.builds.create.mutate({ workspace: id, transition: 'stop' });
  await settled(client, id);
}

/** Waits until the latest build of the workspace has ended well. */
async function settled(client: Client, id: string): Promise<void> {
  const deadline = performance.now() + BUILD_TIMEOUT_MS;
  for (;;) {
    const { latest_build: build, name } = await client.workspaces.get.query({ workspace: id });
    if (build.job.status === 'succeeded') return;
    if (build.job.status === 'failed' || build.job.status === 'canceled') {
      throw new SeedError(
        `The ${build.transition} of the workspace ${name} ended as ${build.job.status}: ${build.job.error}`,
        'Its build log is in the dashboard.',
      );
    }
    if (performance.now() > deadline) throw noProvisioner(`the workspace ${name}`);
    await sleep(ASK_EVERY_MS);
  }
}
