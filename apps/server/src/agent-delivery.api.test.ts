import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestApi } from '@berth/api/testing';
import { agentStartScript } from '@berth/protocol/agent-delivery';
import { createHttpServer } from '@berth/rest';
import { given } from '@berth/testing';
import { afterAll, expect, it, vi } from 'vitest';
import { AgentBundles } from './agent-bundle.ts';
import { mountAgentDownloads } from './agent-downloads.ts';

const run = promisify(execFile);
const { prisma, services } = await createTestApi();
const base = await mkdtemp(join(tmpdir(), 'berth-delivery-'));
afterAll(() => rm(base, { recursive: true, force: true }));

const BUILD = join(import.meta.dirname, '../../agent/build.mjs');
/** What a lean Linux has; above all, no Node.js. */
const TOOLS = ['sh', 'tar', 'gzip', 'mktemp', 'mkdir', 'rm', 'mv', 'rmdir', 'uname', 'head', 'tail', 'grep', 'sleep', 'curl'];

it('a machine without Node.js that runs the script becomes the connected agent of its workspace, and leaves when it is asked to', async () => {
  const agentDir = join(base, 'dist');
  await run(process.execPath, [BUILD, agentDir]);
  const app = await createHttpServer({ services });
  const bundles = new AgentBundles({ agentDir, nodeBinary: process.execPath, folder: join(base, 'kept'), log: services.log });
  mountAgentDownloads(app, bundles, 'http://unused.test');
  await app.listen({ host: '127.0.0.1', port: 0 });
  afterAll(() => app.close());
  const { port } = app.server.address() as AddressInfo;

  const rows = given(prisma);
  const { job } = await rows.workspace({ status: 'running' });
  const { agent, token } = await rows.agent({ jobId: job.id });

  const [bin, home] = [await mkdtemp(join(base, 'bin-')), await mkdtemp(join(base, 'home-'))];
  for (const tool of TOOLS) await symlink((await run('/bin/sh', ['-c', `command -v ${tool}`])).stdout.trim(), join(bin, tool));
  const machine = spawn('/bin/sh', ['-c', agentStartScript({ accessUrl: `http://127.0.0.1:${port}` })], {
    cwd: home,
    env: { PATH: bin, HOME: home, TMPDIR: home, CODER_AGENT_TOKEN: token },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  machine.stderr.setEncoding('utf8').on('data', (chunk: string) => said.push(chunk));
  const state = async () =>
    await prisma.workspaceAgent.findUniqueOrThrow({ where: { id: agent.id }, select: { lifecycleState: true, version: true } });
  try {
    await vi.waitFor(
      async () => expect(await state(), said.join('')).toMatchObject({ lifecycleState: 'ready', version: expect.stringMatching(/^v/) }),
      { timeout: 45_000, interval: 100 },
    );
  } finally {
    machine.kill('SIGTERM');
  }
  const [code] = await once(machine, 'exit');
  expect(code, said.join('')).toBe(0);
}, 60_000);
