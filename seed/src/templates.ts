import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@berth/client';
import { ORGANIZATION, STARTERS } from './cast.ts';
import { SeedError } from './errors.ts';
import type { Progress } from './progress.ts';

const IMPORT_TIMEOUT_MS = 120_000;
const ASK_EVERY_MS = 250;

export interface SeededTemplate {
  readonly id: string;
  readonly name: string;
}

/** Installs the starter templates of the cast, and waits until each can be used. */
export async function seedTemplates(client: Client, progress: Progress): Promise<SeededTemplate[]> {
  const examples = await client.templates.examples.query({});
  const installed = await client.templates.listByOrganization.query({ organization: ORGANIZATION });
  const templates: SeededTemplate[] = [];
  for (const slug of STARTERS) {
    // The link to install a starter names its folder, which is the template's name.
    const example = examples.find(({ url }) => new URL(url).searchParams.get('example') === slug);
    if (example === undefined) {
      throw new SeedError(
        `The server has no starter template ${slug}.`,
        'Start it from a complete clone: they are in the templates folder.',
      );
    }
    const found = installed.find(({ name }) => name === slug);
    const template = found ?? (await client.templates.installExample.mutate({ organization: ORGANIZATION, example_id: example.id }));
    await waitForImport(client, template);
    if (found === undefined) progress.made(example.name);
    else progress.found(example.name);
    templates.push({ id: template.id, name: template.name });
  }
  return templates;
}

/** Waits until the template's version was imported. */
export async function waitForImport(client: Client, template: { name: string; active_version_id: string }): Promise<void> {
  const deadline = performance.now() + IMPORT_TIMEOUT_MS;
  for (;;) {
    const { job } = await client.templateVersions.get.query({ templateversion: template.active_version_id });
    if (job.status === 'succeeded') return;
    if (job.status === 'failed' || job.status === 'canceled') {
      throw new SeedError(
        `The import of the template ${template.name} ended as ${job.status}: ${job.error}`,
        'Delete the template in the dashboard and run this again.',
      );
    }
    if (performance.now() > deadline) throw noProvisioner(`the template ${template.name}`);
    await sleep(ASK_EVERY_MS);
  }
}

export function noProvisioner(what: string): SeedError {
  return new SeedError(
    `No provisioner finished ${what} in ${IMPORT_TIMEOUT_MS / 1000} s.`,
    'Look into the log of the server: a provisioner daemon must run (BERTH_PROVISIONER_DAEMONS=1, the default).',
  );
}
