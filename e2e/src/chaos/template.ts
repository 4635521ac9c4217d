import type { Client } from '@berth/client';
import { uploadArchive } from '../archive.ts';
import { eventually } from './wait.ts';

/** Lines of the start script and of the stop script of each agent. */
export const START_LINES = 30;
export const STOP_LINES = 10;

const YAML = `
version: 1
name: Chaos
parameters:
  - name: mood
    default: calm
    mutable: true
resources:
  - name: box
    type: process
    agent:
      name: main
      directory: '~'
      scripts:
        - display_name: Come
          run_on_start: true
          start_blocks_login: true
          timeout: 300
          script: |
            i=0
            while [ "$i" -lt ${START_LINES} ]; do i=$((i + 1)); echo "coming $i of ${START_LINES}"; sleep 0.03; done
        - display_name: Go
          run_on_stop: true
          timeout: 20
          script: |
            i=0
            while [ "$i" -lt ${STOP_LINES} ]; do i=$((i + 1)); echo "going $i of ${STOP_LINES}"; sleep 0.03; done
`;

/** Imports the template for daemons with these tags; answers its id. */
export async function installChaosTemplate({
  url,
  token,
  client,
  name,
  tags,
}: {
  url: string;
  token: string;
  client: Client;
  name: string;
  tags: Record<string, string>;
}): Promise<string> {
  const fileId = await uploadArchive({ url, token, yaml: YAML });
  const { id } = await client.templateVersions.create.mutate({
    organization: 'default',
    file_id: fileId,
    provisioner: 'process',
    storage_method: 'file',
    tags,
  });
  const job = await eventually(60_000, async () => {
    const { job: current } = await client.templateVersions.get.query({ templateversion: id });
    return current.status === 'succeeded' || current.status === 'failed' ? current : undefined;
  });
  if (job?.status !== 'succeeded') throw new Error(`The template could not be imported: ${job?.error ?? 'its job does not end'}`);
  const template = await client.templates.create.mutate({
    organization: 'default',
    name,
    template_version_id: id,
    allow_user_cancel_workspace_jobs: true,
  });
  return template.id;
}
