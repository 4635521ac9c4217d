import type { Client } from '@berth/client';
import { ORGANIZATION } from './cast.ts';
import type { Progress } from './progress.ts';
import type { Session } from './session.ts';
import { waitForImport } from './templates.ts';
import type { SeededTemplate } from './templates.ts';

const NAME = 'ml-training';
const BERTH_YAML = `version: 1
name: ML training
description: A workspace for training models. It costs 5 a day.
icon: /icon/python.svg

parameters:
  - name: dashboard_port
    display_name: Port of the dashboard
    description: Where TensorBoard listens.
    default: '6006'

resources:
  - name: workspace
    type: process
    persistent_home: true
    daily_cost: 5
    agent:
      name: main
      apps:
        - slug: tensorboard
          display_name: TensorBoard
          url: http://localhost:\${{ parameters.dashboard_port }}
`;
const README = `# ML training

A workspace for training models. It costs 5 a day of what the groups of its owner may spend.
`;

/** A template with a cost, written here and uploaded as an archive, as \`berth templates push\` does it. */
export async function seedOwnTemplate(
  { client, token }: Pick<Session, 'client' | 'token'>,
  { url, progress }: { url: string; progress: Progress },
): Promise<SeededTemplate> {
  const installed = await client.templates.listByOrganization.query({ organization: ORGANIZATION });
  const found = installed.find(({ name }) => name === NAME);
  if (found !== undefined) {
    progress.found('ML training');
    return { id: found.id, name: NAME };
  }
  const template = await create(client, await upload(url, token));
  progress.made('ML training');
  return template;
}

async function create(client: Client, fileId: string): Promise<SeededTemplate> {
  const version = await client.templateVersions.create.mutate({
    organization: ORGANIZATION,
    storage_method: 'file',
    provisioner: 'process',
    file_id: fileId,
  });
  await waitForImport(client, { name: NAME, active_version_id: version.id });
  const { id } = await client.templates.create.mutate({
    organization: ORGANIZATION,
    name: NAME,
    display_name: 'ML training',
    description: 'A workspace for training models. It costs 5 a day.',
    icon: '/icon/python.svg',
    template_version_id: version.id,
  });
  return { id, name: NAME };
}

async function upload(url: string, token: string): Promise<string> {
  const response = await fetch(`${url}/api/v2/files`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-tar', 'service-session-token': token },
    body: tar({ 'berth.yaml': BERTH_YAML, 'README.md': README }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`The upload of the template ${NAME} was answered with ${response.status}: ${await response.text()}`);
  const { hash }: { hash: string } = JSON.parse(await response.text());
  return hash;
}

const BLOCK = 512;

/** A tar archive of a few text files with short names. */
function tar(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    return [header(name, content.length), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  return new Uint8Array(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]));
}

/** Of a regular file with mode 0644, in the ustar format. */
function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0');
  block.write(name, 0);
  block.write(octal(0o644, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(0, 12), 136);
  // While the sum is taken, its own place counts as blanks.
  block.write(' '.repeat(8), 148);
  block.write('0', 156);
  block.write('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 7)}\u0000 `, 148);
  return block;
}
