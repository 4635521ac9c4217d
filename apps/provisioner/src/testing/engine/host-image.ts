import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROGRAMS = ['sleep', 'cat', 'head', 'ls'];

/**
 * Makes an image of this host's own shell and what Node.js needs, so that tests with a real engine need no registry. Rejects where the host
 * has no `ldd`.
 */
export async function importHostImage(socketPath: string, reference: { name: string; tag: string }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'berth-image-'));
  try {
    const paths = await Promise.all(PROGRAMS.map(async (name) => (await run('/bin/sh', ['-c', `command -v ${name}`])).stdout.trim()));
    // Wherever this system has its shell, images have theirs here.
    paths.push('/bin/sh');
    const { stdout } = await run('ldd', [...paths, process.execPath]);
    const libraries = [...new Set(stdout.match(/\/\S+\.so\S*/g) ?? [])];
    const tar = join(folder, 'image.tar');
    const names = [...paths, ...libraries, '/etc/passwd', '/etc/group'].map((path) => path.slice(1));
    await run('tar', ['--create', '--dereference', '--hard-dereference', '--file', tar, '--directory', '/', ...names]);
    const query = new URLSearchParams({ fromSrc: '-', repo: reference.name, tag: reference.tag });
    await new Promise<void>((resolve, reject) => {
      const outgoing = request({
        socketPath,
        method: 'POST',
        path: `/images/create?${query.toString()}`,
        headers: { 'content-type': 'application/x-tar' },
      });
      outgoing.once('error', reject);
      outgoing.once('response', (answer) => {
        answer
          .resume()
          .once('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`the engine answered ${answer.statusCode}`))));
      });
      createReadStream(tar).pipe(outgoing);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes it again; an image that is still used stays. */
export async function removeHostImage(socketPath: string, { name, tag }: { name: string; tag: string }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    request({ socketPath, method: 'DELETE', path: `/images/${name}:${tag}` }, (answer) => answer.resume().once('end', resolve))
      .once('error', reject)
      .end();
  });
}
