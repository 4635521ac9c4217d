import type { Client } from '@berth/client';
import { uploadArchive } from './archive.ts';
import type { Berth } from './berth.ts';
import { expect } from './fixtures.ts';
import type { Owner } from './people.ts';

const ORGANIZATION = 'default';
/** For a build or an import on a machine that has other work too. */
export const BUILD_TIMEOUT_MS = 60_000;

type Workspace = Awaited<ReturnType<Client['workspaces']['get']['query']>>;

/** Uploads a `berth.yaml`, imports it and makes a template of it; answers the template's id. */
export async function installTemplate({
  berth,
  owner,
  name,
  yaml,
}: {
  berth: Berth;
  owner: Owner;
  name: string;
  yaml: string;
}): Promise<string> {
  const { client } = owner;
  const fileId = await uploadArchive({ url: berth.url, token: owner.token, yaml });
  const version = await client.templateVersions.create.mutate({
    organization: ORGANIZATION,
    file_id: fileId,
    provisioner: 'process',
    storage_method: 'file',
  });
  await imported(client, version.id);
  const template = await client.templates.create.mutate({ organization: ORGANIZATION, name, template_version_id: version.id });
  return template.id;
}

/** Installs a starter template that ships with the product; answers the template's id. */
export async function installStarter(client: Client, name: string): Promise<string> {
  const examples = await client.templates.examples.query({});
  const example = examples.find((candidate) => candidate.name === name);
  if (example === undefined) throw new Error(`There is no starter template called ${name}.`);
  const template = await client.templates.installExample.mutate({ organization: ORGANIZATION, example_id: example.id });
  await imported(client, template.active_version_id);
  return template.id;
}

async function imported(client: Client, version: string): Promise<void> {
  const job = async () => (await client.templateVersions.get.query({ templateversion: version })).job;
  await expect.poll(async () => (await job()).status, { timeout: BUILD_TIMEOUT_MS }).toMatch(/succeeded|failed/);
  expect((await job()).error).toBe('');
}

/** Waits until the workspace is what its last build was for, and all its agents that start are ready. */
export async function settled(client: Client, id: string): Promise<Workspace> {
  const load = () => client.workspaces.get.query({ workspace: id, include_deleted: true });
  await expect
    .poll(async () => (await load()).latest_build.status, { timeout: BUILD_TIMEOUT_MS })
    .toMatch(/running|stopped|deleted|failed/);
  const workspace = await load();
  expect(workspace.latest_build.job.error).toBe('');
  return workspace;
}

/** The id of the only agent of a workspace that was started. */
export function agentIdOf(workspace: Workspace): string {
  const agent = workspace.latest_build.resources.flatMap((resource) => resource.agents)[0];
  if (agent === undefined) throw new Error(`${workspace.name} has no agent.`);
  return agent.id;
}
