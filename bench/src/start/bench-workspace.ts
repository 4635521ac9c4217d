import type { Workspace } from '@berth/api/contract/workspaces';
import type { SignedIn } from './sign-in.ts';
import { waitForWorkspace } from './watch-workspace.ts';

/** The starter template without a start script: an empty shell. */
const STARTER = 'shell';
const BUILD_TIMEOUT_MS = 60_000;

/** Makes a workspace of the empty-shell starter and waits until it runs. */
export async function makeWorkspace(url: string, signedIn: SignedIn): Promise<Workspace> {
  const { client } = signedIn;
  const template = await client.templates.installExample.mutate({ organization: 'default', example_id: STARTER });
  await waitForImport(signedIn, template.active_version_id);
  const workspace = await client.workspaces.create.mutate({ user: 'me', name: 'bench', template_id: template.id });
  return settled(url, signedIn, workspace.id);
}

async function waitForImport({ client }: SignedIn, version: string): Promise<void> {
  const deadline = performance.now() + BUILD_TIMEOUT_MS;
  for (;;) {
    const { job } = await client.templateVersions.get.query({ templateversion: version });
    if (job.status === 'succeeded') return;
    if (job.status === 'failed' || performance.now() > deadline) {
      throw new Error(`The import of the starter is ${job.status}: ${job.error}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Waits until the latest build has ended well. */
export async function settled(url: string, signedIn: SignedIn, id: string): Promise<Workspace> {
  const workspace = await waitForWorkspace({
    url,
    signedIn,
    id,
    timeoutMs: BUILD_TIMEOUT_MS,
    matches: ({ latest_build: { job } }) => job.completed_at !== null,
  });
  const { job } = workspace.latest_build;
  if (job.status !== 'succeeded') throw new Error(`The ${workspace.latest_build.transition} build ended as ${job.status}: ${job.error}`);
  return workspace;
}

/** Stops the workspace and waits until it has stopped. */
export async function stopWorkspace(url: string, signedIn: SignedIn, id: string): Promise<void> {
  await signedIn.client.builds.create.mutate({ workspace: id, transition: 'stop' });
  await settled(url, signedIn, id);
}

/** The first agent of the workspace's latest build, if there is one. */
export function agentOf(workspace: Workspace) {
  return workspace.latest_build.resources.flatMap(({ agents }) => agents)[0];
}
