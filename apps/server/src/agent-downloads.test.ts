import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { agentStartScript } from '@berth/protocol/agent-delivery';
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AgentBundles } from './agent-bundle.ts';
import type { AgentBundleOptions } from './agent-bundle.ts';
import { mountAgentDownloads } from './agent-downloads.ts';
import type { PackageSource } from './agent-packages.ts';

const run = promisify(execFile);
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };

let base = '';
let folder = '';
/** Where the agent stands in for a program that only tells what it was started with. */
let options: AgentBundleOptions;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'berth-download-'));
  folder = join(base, 'kept');
  const agentDir = join(base, 'dist');
  await mkdir(join(agentDir, 'chunks'), { recursive: true });
  await writeFile(join(agentDir, 'agent.mjs'), 'the agent');
  await writeFile(join(agentDir, 'chunks', 'one.mjs'), 'a part');
  const nodeBinary = join(base, 'node');
  await writeFile(
    nodeBinary,
    '#!/bin/sh\n[ "$1" != --version ] || exit 0\necho "$1 $BERTH_AGENT_URL $BERTH_AGENT_TOKEN ${CODER_AGENT_TOKEN-none}"\n',
  );
  await chmod(nodeBinary, 0o755);
  options = { agentDir, nodeBinary, folder, log: silent, platform: { system: 'linux', architecture: process.arch } };
});
afterEach(() => rm(base, { recursive: true, force: true }));

const own = process.arch === 'arm64' ? 'arm64' : 'amd64';
const other = own === 'arm64' ? 'amd64' : 'arm64';
const path = (architecture: string) => `/bin/berth-agent-linux-${architecture}.tar.gz`;

function serve(overrides: Partial<AgentBundleOptions> = {}) {
  const app = Fastify();
  mountAgentDownloads(app, new AgentBundles({ ...options, ...overrides }), 'https://berth.example.com');
  return app;
}

async function listen(app = serve()): Promise<{ url: string; close: () => Promise<void> }> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => app.close() };
}

it('hands out one archive for its own processor, and again only when it has changed', async () => {
  const app = serve();
  const first = await app.inject(path(own));
  expect(first).toMatchObject({ statusCode: 200, headers: { 'content-type': 'application/gzip' } });
  expect(first.rawPayload).toHaveLength(Number(first.headers['content-length']));
  const etag = String(first.headers.etag);
  expect(await app.inject({ url: path(own), headers: { 'if-none-match': etag } })).toMatchObject({ statusCode: 304, body: '' });
  expect(await app.inject({ method: 'HEAD', url: path(own) })).toMatchObject({ statusCode: 200, body: '', headers: { etag } });

  expect((await serve().inject(path(own))).headers.etag).toBe(etag);
  await writeFile(join(options.agentDir, 'agent.mjs'), 'a newer agent');
  expect((await serve().inject(path(own))).headers.etag).not.toBe(etag);
  expect(await readdir(join(folder, 'made'))).toHaveLength(1);
});

it('makes the archive once for all who ask at the same time, and again when it was cleaned away', async () => {
  const made: unknown[] = [];
  const app = serve({ log: { ...silent, info: (facts: object) => void made.push(facts) } });
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.inject(path(own))));
  expect(new Set(answers.map(({ statusCode, headers }) => `${statusCode} ${String(headers.etag)}`)).size).toBe(1);
  expect(made).toHaveLength(1);
  await rm(folder, { recursive: true });
  expect((await app.inject(path(own))).statusCode).toBe(200);
});

it('says for which processors it has agents when it is asked for another', async () => {
  const app = serve();
  for (const name of [path(other), '/bin/sh', '/bin/..%2Fdist%2Fagent.mjs']) {
    const answer = await app.inject(name);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain(`it has those for linux on ${own}`);
  }
  expect((await serve({ platform: { system: 'darwin', architecture: 'arm64' } }).inject(path('arm64'))).body).toContain(
    'it has none at all',
  );
});

it('hands out what was put into its folder for other processors', async () => {
  await mkdir(folder);
  await writeFile(join(folder, `berth-agent-linux-${other}.tar.gz`), 'brought along');
  const app = serve();
  expect((await app.inject(path(other))).body).toBe('brought along');
  expect((await app.inject(path('armv7'))).body).toContain('amd64 and arm64');
});

/** Packages as the registry has them, of text instead of programs. */
function fakePackages(unpack?: () => Promise<void>) {
  const asked: string[] = [];
  const packages: PackageSource = {
    fingerprint: (names) => Promise.resolve(names.join(' ')),
    unpack: async (name, into) => {
      asked.push(name);
      await unpack?.();
      const [file, text] = name.startsWith('node-') ? [join(into, 'bin', 'node'), 'its node'] : [join(into, 'pty.node'), 'its terminal'];
      await mkdir(join(file, '..'), { recursive: true });
      await writeFile(file, text, { mode: 0o755 });
    },
  };
  return { asked, packages };
}

async function unpacked(archive: Buffer): Promise<string> {
  const into = await mkdtemp(join(base, 'unpacked-'));
  await writeFile(join(base, 'bundle.tar.gz'), archive);
  await run('tar', ['-xzf', join(base, 'bundle.tar.gz'), '-C', into]);
  return into;
}

it('makes the agent for the other processor of packages, once, without what is built for its own', async () => {
  const { agentDir } = options;
  for (const file of [
    'cache/v24/x',
    `node_modules/@lydell/node-pty-linux-${process.arch}/pty.node`,
    'node_modules/@lydell/node-pty/a.js',
  ]) {
    await mkdir(join(agentDir, file, '..'), { recursive: true });
    await writeFile(join(agentDir, file), 'ours');
  }
  const { asked, packages } = fakePackages();
  const app = serve({ packages });
  const answers = await Promise.all([1, 2, 3].map(() => app.inject(path(other))));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect((await app.inject(path(own))).statusCode).toBe(200);
  expect((await serve({ packages }).inject(path(other))).headers.etag).toBe(answers[0]?.headers.etag);
  const cpu = other === 'arm64' ? 'arm64' : 'x64';
  expect(asked).toEqual([`node-linux-${cpu}`, `@lydell/node-pty-linux-${cpu}`]);

  const into = await unpacked(answers[0]?.rawPayload ?? Buffer.alloc(0));
  expect(await readFile(join(into, 'node'), 'utf8')).toBe('its node');
  expect((await readdir(join(into, 'agent'))).toSorted()).toEqual(['agent.mjs', 'chunks', 'node_modules']);
  expect((await readdir(join(into, 'agent', 'node_modules', '@lydell'))).toSorted()).toEqual(['node-pty', `node-pty-linux-${cpu}`]);
  expect((await readdir(folder)).toSorted()).toEqual(['made']);
  expect(await readdir(join(folder, 'made'))).toHaveLength(2);
});

it('says in a sentence why an agent cannot be made now, asks nobody for a minute, and hands out what was put there meanwhile', async () => {
  const { asked, packages } = fakePackages(() => Promise.reject(new Error('npm could not fetch it: there is no npm here')));
  const app = serve({ packages });
  for (let times = 0; times < 3; times += 1) {
    const answer = await app.inject(path(other));
    expect(answer.statusCode).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.body).toBe(`The agent for linux on ${other} cannot be made now: npm could not fetch it: there is no npm here\n`);
  }
  expect(asked).toHaveLength(1);
  expect((await app.inject(path('armv7'))).body).toContain('it has those for linux on amd64 and arm64');
  await writeFile(join(folder, `berth-agent-linux-${other}.tar.gz`), 'brought along');
  expect((await app.inject(path(other))).body).toBe('brought along');
});

it('tells who asks for an agent that is still being made to come back, and has it then', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { asked, packages } = fakePackages(() => arrived);
  const app = serve({ packages, patienceMs: 1 });
  expect(await app.inject(path(other))).toMatchObject({ statusCode: 503, headers: { 'retry-after': '10' } });
  arrive();
  await vi.waitFor(async () => expect((await app.inject(path(other))).statusCode).toBe(200), { timeout: 30_000 });
  expect(asked).toHaveLength(2);
});

it('fails a download while the agent is not built, and makes it as soon as it is', async () => {
  const app = serve();
  await rm(join(options.agentDir, 'agent.mjs'));
  expect((await app.inject(path(own))).statusCode).toBe(500);
  await writeFile(join(options.agentDir, 'agent.mjs'), 'the agent');
  expect((await app.inject(path(own))).statusCode).toBe(200);
});

it('serves the script with its own address in it', async () => {
  const { body, headers } = await serve().inject('/bin/berth-agent-start.sh');
  expect(headers['content-type']).toContain('text/x-shellscript');
  expect(body).toBe(agentStartScript({ accessUrl: 'https://berth.example.com' }));
});

/** A folder with links to what a lean system has. */
async function tools(...names: string[]): Promise<string> {
  const bin = await mkdtemp(join(base, 'bin-'));
  const basics = ['sh', 'tar', 'gzip', 'mktemp', 'mkdir', 'rm', 'mv', 'rmdir', 'uname', 'head', 'tail', 'grep', 'sleep'];
  for (const name of [...basics, ...names]) {
    const found = (await run('/bin/sh', ['-c', `command -v ${name}`], { env: { PATH: '/usr/bin:/bin' } })).stdout.trim();
    await run('ln', ['-s', found, join(bin, name)]);
  }
  return bin;
}

async function start(script: string, env: Record<string, string>) {
  const file = join(base, 'start.sh');
  await writeFile(file, script);
  const home = await mkdtemp(join(base, 'home-'));
  return await run('/bin/sh', [file], { cwd: home, env: { PATH: '/usr/bin:/bin', TMPDIR: home, ...env } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr, home }),
    (error: { code: number; stdout: string; stderr: string }) => ({ ...error, home }),
  );
}

it.each(['curl', 'wget'])('the script fetches the agent with %s and becomes it', async (tool) => {
  const { url, close } = await listen();
  const PATH = await tools(tool);
  const token = { BERTH_AGENT_TOKEN: 'secret', BERTH_AGENT_DIR: join(base, 'there') };
  const started = await start(agentStartScript({ accessUrl: `${url}/` }), { PATH, ...token });
  expect(started).toMatchObject({ code: 0, stdout: `${join(base, 'there')}/agent/agent.mjs ${url} secret none\n` });
  expect(await readFile(join(base, 'there', 'agent', 'chunks', 'one.mjs'), 'utf8')).toBe('a part');
  expect((await readdir(join(base, 'there'))).toSorted()).toEqual(['agent', 'node']);
  await close();
  expect(await start(agentStartScript({ accessUrl: url }), { PATH, ...token })).toMatchObject({ code: 0 });
});

it('the script understands the names and the placeholders of Terraform’s provider', async () => {
  const { url, close } = await listen();
  const text = agentStartScript().replaceAll('${ACCESS_URL}', `${url}/`).replaceAll('${ARCH}', own).replaceAll('${AUTH_TYPE}', 'token');
  expect((await start(text, { CODER_AGENT_TOKEN: 'secret' })).stdout).toMatch(new RegExp(`/agent/agent.mjs ${url} secret none\n$`));
  expect((await start(agentStartScript(), { CODER_AGENT_TOKEN: 'secret', CODER_AGENT_URL: url })).stdout).toContain(`${url} secret none`);
  await close();
});

it('the script says in a sentence why it gives up', async () => {
  const { url, close } = await listen();
  const token = { BERTH_AGENT_TOKEN: 'secret', BERTH_AGENT_ATTEMPTS: '2' };
  const said = async (env: Record<string, string>, architecture?: 'armv7') =>
    (await start(agentStartScript(architecture === undefined ? {} : { architecture }), env)).stderr;
  expect(await said({ ...token, BERTH_AGENT_URL: url }, 'armv7')).toContain(`it has those for linux on ${own}`);
  expect(await said({ ...token, BERTH_AGENT_URL: url, PATH: await tools('wget') }, 'armv7')).toMatch(/cannot be fetched from .*404/);
  expect(await said({ ...token, BERTH_AGENT_URL: url, PATH: await tools() })).toContain('there is neither curl nor wget here');
  expect(await said({ ...token, BERTH_AGENT_URL: 'berth' })).toContain('BERTH_AGENT_URL must be the address');
  expect(await said({ BERTH_AGENT_URL: url })).toContain('BERTH_AGENT_TOKEN must be');
  await close();
  const late = await said({ ...token, BERTH_AGENT_URL: url });
  expect(late).toContain('Attempt 1 of 2');
  expect(late).toMatch(/could not be fetched from .* in 2 attempts: .*onnect/);
});

it('the script says what a system lacks on which Node.js does not run, and leaves the user’s text alone', async () => {
  await writeFile(options.nodeBinary, '#!/no/such/loader\n');
  const { url, close } = await listen();
  const started = await start(agentStartScript({ accessUrl: url }), { BERTH_AGENT_TOKEN: 'secret' });
  expect(started.code).toBe(1);
  expect(started.stderr).toContain('The agent does not run here');
  expect(started.stderr).toContain('glibc 2.28');
  await close();
});

it('hands out an agent of its own version: another one would be fetched in vain by every agent', async () => {
  const versionOf = async (file: string): Promise<unknown> => JSON.parse(await readFile(join(import.meta.dirname, file), 'utf8')).version;
  expect(await versionOf('../../agent/package.json')).toBe(await versionOf('../../../package.json'));
});
