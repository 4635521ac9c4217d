import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

/** Uploads an archive with one `berth.yaml`; answers the file's id. */
export async function uploadArchive({ url, token, yaml }: { url: string; token: string; yaml: string }): Promise<string> {
  const response = await fetch(`${url}/api/v2/files`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-tar', 'service-session-token': token },
    body: new Uint8Array(await archive(yaml)),
  });
  if (!response.ok) throw new Error(`The upload was answered with ${response.status}: ${await response.text()}`);
  return z.object({ hash: z.string() }).parse(await response.json()).hash;
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
