import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createGzip, gzipSync } from 'node:zlib';

import type { Header } from 'tar-stream';
import { pack } from 'tar-stream';
import { describe, expect, onTestFinished, test } from 'vitest';

import { ComeBackLater } from './come-back-later.ts';
import { fetchProgram, removeEarlierPrograms, updateParents } from './fetch-program.ts';

/** Stands in for Node.js: says its version, whatever it is asked to run. */
const PROGRAM = '#!/bin/sh\necho v9.9.9\n';

type Entry = readonly [header: Partial<Header> & { readonly name: string }, content: string];
const good: readonly Entry[] = [
  [{ name: 'node', mode: 0o755 }, PROGRAM],
  [{ name: 'agent/', type: 'directory' }, ''],
  [{ name: 'agent/agent.mjs' }, 'the agent'],
];

async function archiveOf(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const [header, content] of entries) tar.entry(header, content);
  tar.finalize();
  return await buffer(tar.pipe(createGzip()));
}

async function given(answer: (response: http.ServerResponse) => void) {
  const server = http.createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const parent = await mkdtemp(path.join(tmpdir(), 'berth-fetch-'));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await rm(parent, { recursive: true, force: true });
  });
  const fetch = (parents: readonly string[] = [parent], signal = new AbortController().signal) =>
    fetchProgram({ url: `http://127.0.0.1:${port}/`, version: 'v9.9.9', parents, environment: { PATH: '/usr/bin:/bin' }, signal });
  return { parent, fetch };
}

describe.runIf(process.platform === 'linux')('fetching a version of the agent', () => {
  test('leaves the whole program, and fetches none that is there', async () => {
    let asked = 0;
    const archive = await archiveOf(good);
    const { parent, fetch } = await given((response) => {
      asked += 1;
      response.end(archive);
    });
    const program = { node: path.join(parent, 'agent-v9.9.9', 'node'), agent: path.join(parent, 'agent-v9.9.9', 'agent', 'agent.mjs') };
    expect(await fetch()).toEqual(program);
    expect(await fetch()).toEqual(program);
    expect(asked).toBe(1);
    expect(await readdir(parent)).toEqual(['agent-v9.9.9']);
  });

  test('replaces what is there and does not run', async () => {
    const archive = await archiveOf(good);
    const { parent, fetch } = await given((response) => response.end(archive));
    await mkdir(path.join(parent, 'agent-v9.9.9'));
    await writeFile(path.join(parent, 'agent-v9.9.9', 'node'), 'half of it');
    await fetch();
    expect((await readdir(path.join(parent, 'agent-v9.9.9'))).toSorted()).toEqual(['agent', 'node']);
  });

  test.each<[string, readonly Entry[]]>([
    ['a way out', [...good, [{ name: '../out' }, 'x']]],
    ['a way out in its middle', [...good, [{ name: 'agent/../../out' }, 'x']]],
    ['an absolute path', [...good, [{ name: '/tmp/out' }, 'x']]],
    ['a link', [...good, [{ name: 'agent/link', type: 'symlink', linkname: '/etc/passwd' }, '']]],
    ['something twice', [...good, [{ name: 'node' }, 'another']]],
    ['other things', [...good, [{ name: 'start.sh' }, 'x']]],
    ['too many things', [...good, ...Array.from({ length: 1000 }, (_, i): Entry => [{ name: `agent/${i}` }, ''])]],
    ['another version', [[{ name: 'node', mode: 0o755 }, '#!/bin/sh\necho v1.0.0\n'], ...good.slice(1)]],
    ['a program that fails', [[{ name: 'node', mode: 0o755 }, '#!/bin/sh\necho v9.9.9\nexit 1\n'], ...good.slice(1)]],
    ['nothing', []],
  ])('leaves nothing of an archive with %s', async (_, entries) => {
    const archive = await archiveOf(entries);
    const { parent, fetch } = await given((response) => response.end(archive));
    await expect(fetch()).rejects.toThrow();
    expect(await readdir(parent)).toEqual([]);
  });

  test('leaves nothing of an archive that is cut short, promises too much, or is none', async () => {
    const archive = await archiveOf([...good, [{ name: 'agent/large' }, 'x'.repeat(1_000_000)]]);
    const huge = Buffer.alloc(512);
    huge.write('agent/huge');
    huge.write('00077777777777\0'.slice(0, 12), 124);
    for (const content of [archive.subarray(0, archive.length - 40), gzipSync(huge), Buffer.from('no archive')]) {
      const { parent, fetch } = await given((response) => response.end(content));
      await expect(fetch()).rejects.toThrow();
      expect(await readdir(parent)).toEqual([]);
    }
    const broken = await given((response) => {
      response.writeHead(200, { 'content-length': archive.length });
      response.write(archive.subarray(0, 200), () => response.destroy());
    });
    await expect(broken.fetch()).rejects.toThrow();
    expect(await readdir(broken.parent)).toEqual([]);
  });

  test('comes back when it is told to, and says what was answered otherwise', async () => {
    const busy = await given((response) => response.writeHead(503, { 'retry-after': '7' }).end('busy'));
    const error = await busy.fetch().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ComeBackLater);
    expect(error).toMatchObject({ seconds: 7 });
    await expect((await given((response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())).fetch()).rejects.toThrow(
      'answered 302',
    );
  });

  test('puts it only where nobody else may write', async () => {
    const archive = await archiveOf(good);
    const { parent, fetch } = await given((response) => response.end(archive));
    const [open, own] = [path.join(parent, 'open'), path.join(parent, 'own')];
    await mkdir(open);
    await chmod(open, 0o777);
    await mkdir(own);
    expect((await fetch(['/no/such/place', open, own])).node).toBe(path.join(own, 'agent-v9.9.9', 'node'));
    await expect(fetch([open])).rejects.toThrow('no folder of its own');
  });

  test('keeps one version beside the first one, and those that still run', async () => {
    const { parent } = await given((response) => response.end());
    const old = path.join(parent, 'agent-v1.0.0');
    const running = path.join(parent, `agent-v2.0.0`);
    for (const folder of [old, running, path.join(parent, 'agent-v3.0.0', 'agent'), path.join(parent, 'agent')]) {
      await mkdir(folder, { recursive: true });
    }
    await symlink('/bin/sh', path.join(old, 'node'));
    const agent = path.join(parent, 'agent-v3.0.0', 'agent', 'agent.mjs');
    expect(updateParents(agent, '/own')).toEqual([parent, '/own']);
    expect(updateParents(path.join(parent, 'agent', 'agent.mjs'), undefined)).toEqual([parent]);
    await removeEarlierPrograms(path.join(parent, 'agent', 'agent.mjs'));
    expect(await readdir(parent)).toHaveLength(4);
    await removeEarlierPrograms(agent);
    expect((await readdir(parent)).toSorted()).toEqual(['agent', 'agent-v3.0.0']);
  });
});
