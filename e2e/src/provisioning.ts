import type { Client } from '@berth/client';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
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
  const fileId = await upload(berth, owner, await archive(yaml));
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

async function archive(yaml: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'berth-e2e-template-'));
  try {
    await writeFile(join(folder, 'berth.yaml'), yaml);
    const { status, stdout, stderr } = spawnSync('tar', ['-c', '-C', folder, 'berth.yaml']);
    if (status !== 0) throw new Error(`The template could not be packed: ${String(stderr)}`);
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function upload({ url }: Berth, { token }: Owner, tar: Buffer): Promise<string> {
  const response = await fetch(`${url}/api/v2/files`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-tar', 'service-session-token': token },
    body: new Uint8Array(tar),
  });
  if (!response.ok) throw new Error(`The upload was answered with ${response.status}: ${await response.text()}`);
  return z.object({ hash: z.string() }).parse(await response.json()).hash;
}
