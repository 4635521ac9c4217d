import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContainerDesk, NOTHING } from '../../testing/engine/container-desk.ts';
import { FakeEngine } from '../../testing/engine/fake-engine.ts';
import { buildJob } from '../../testing/jobs.ts';
import { accessFrom } from './access.ts';
import { toBytes } from './container-spec.ts';
import { engineAddresses, parseEngineAddress } from './engine-address.ts';
import { findEngine } from './find-engine.ts';
import { parseReference, referenceFault } from './image.ts';
import { registryOf } from './registry-auth.ts';
import type { DriverContext } from '../../driver.ts';

let folder = '';
let engine: FakeEngine;
let desk: ContainerDesk;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'berth-engine-'));
  engine = new FakeEngine();
  engine.registry.set('registry.example.com:5000/team/dev:1', {});
  engine.registry.set('foreign:1', { isThere: true, architecture: 'arm64' });
  engine.registry.set('musl:1', { isThere: true, fails: 'berth: The agent does not run here: not found\nIt needs glibc 2.28 or newer' });
  engine.registry.set('silent:1', { isThere: true, isSilent: true });
  await engine.listen(join(folder, 'engine.sock'));
});
afterEach(async () => {
  await desk.close();
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

const open = async (image: string, network = '') => {
  desk = await ContainerDesk.open({ socketPath: join(folder, 'engine.sock'), image, network });
};
const dev = () => [...engine.containers.values()].find(({ body }) => body.Labels['berth.resource'] === 'dev');

describe('an image', () => {
  it('that is not there is fetched with what docker login wrote down, and the log says so in a few lines', async () => {
    const auth = Buffer.from('me:secret').toString('base64');
    await writeFile(join(folder, 'config.json'), JSON.stringify({ auths: { 'registry.example.com:5000': { auth } } }));
    await open('registry.example.com:5000/team/dev:1');
    await desk.build(desk.driver({ credentials: folder }), buildJob());
    expect(engine.authorizations.map((text) => JSON.parse(text) as unknown)).toEqual([
      { username: 'me', password: 'secret', serveraddress: 'registry.example.com:5000' },
    ]);
    expect(desk.log.filter((line) => line.includes('image'))).toEqual([
      'info fetching image registry.example.com:5000/team/dev:1',
      expect.stringMatching(/^info fetched image .* in \d+\.\d s: 2 of 2 layers, 20 of 20 MB$/),
    ]);
    expect(desk.log.join('\n')).not.toContain('secret');
  });

  it('that nobody has is refused by its name, and nothing is made', async () => {
    await open('none:1');
    const job = buildJob();
    await expect(desk.build(desk.driver(), job)).rejects.toThrow('The image none:1 could not be fetched: manifest for none:1 not found');
    expect(await desk.holdings(job.workspace.id)).toEqual(NOTHING);
  });

  it('of another processor gets the script alone, which fetches the agent that fits', async () => {
    await open('foreign:1');
    await desk.build(desk.driver(), buildJob());
    expect([...(dev()?.files ?? [])]).toEqual(['/berth/', '/berth/start.sh']);
    expect(dev()?.body.Env.some((line) => line.startsWith('BERTH_AGENT_DIR='))).toBe(false);
  });

  it('on which the agent does not run fails the build with what the container said', async () => {
    await open('musl:1');
    const job = buildJob();
    await expect(desk.build(desk.driver(), job)).rejects.toThrow(
      'The container of dev ended at once with exit code 1:\nberth: The agent does not run here: not found\nIt needs glibc 2.28 or newer',
    );
    expect(await desk.holdings(job.workspace.id)).toEqual(NOTHING);
  });

  it('that takes its time is waited for only so long, and the log says so', async () => {
    await open('silent:1');
    await desk.build(desk.driver({ startMs: 50 }), buildJob());
    expect(desk.log).toContain('warn dev: no agent has started in 0.05 s');
  });
});

it('a container is what the template says: never privileged, labelled, with its limits, its volumes and its names', async () => {
  await open('silent:1');
  await desk.describe(`    cpus: 0.5
    memory: 1.5g
    user: "1000:1000"
    extra_hosts: [db:10.0.0.7]
    entrypoint: [/usr/bin/env, --]
    env: { MODE: test }`);
  const job = buildJob({ access_url: 'http://localhost:3000' });
  await desk.build(desk.driver({ startMs: 50 }), job);
  const { id } = job.workspace;
  expect(dev()).toMatchObject({ name: `berth-${id}-dev`, restarts: 'unless-stopped' });
  expect(dev()?.body).toMatchObject({
    Entrypoint: ['/usr/bin/env', '--'],
    Cmd: ['/bin/sh', '/berth/start.sh'],
    User: '1000:1000',
    StopSignal: 'SIGTERM',
    Hostname: 'dev',
    Labels: { 'berth.workspace_id': id, 'berth.workspace': 'dev', 'berth.owner': 'alice', 'berth.resource': 'dev' },
    HostConfig: {
      Privileged: false,
      NanoCpus: 500_000_000,
      Memory: 1.5 * 1024 ** 3,
      NetworkMode: `berth-${id}`,
      ExtraHosts: ['db:10.0.0.7', 'host.docker.internal:host-gateway'],
      Mounts: [
        { Type: 'volume', Source: `berth-${id}-data`, Target: '/data' },
        { Type: 'volume', Source: `berth-${id}-cache`, Target: '/cache' },
      ],
    },
    NetworkingConfig: { EndpointsConfig: { [`berth-${id}`]: { Aliases: ['dev'] } } },
  });
  const env = dev()?.body.Env ?? [];
  expect(env).toEqual(
    expect.arrayContaining(['MODE=test', 'BERTH_AGENT_URL=http://host.docker.internal:3000', `BERTH_WORKSPACE_ID=${id}`]),
  );
  expect(desk.log.some((line) => line.startsWith('warn') && line.includes('BERTH_HTTP_ADDRESS=0.0.0.0:3000'))).toBe(true);
  const side = [...engine.containers.values()].find(({ body }) => body.Labels['berth.resource'] === 'side');
  expect(side?.body.Env.some((line) => line.startsWith('BERTH_AGENT_TOKEN='))).toBe(false);
});

it('a stop gives scripts their time, and only what still runs is stopped', async () => {
  await open('silent:1', 'host');
  const job = buildJob();
  await desk.build(desk.driver({ startMs: 50 }), job);
  const started = dev();
  if (started !== undefined) started.state = 'exited';
  await desk.build(desk.driver({ stopGraceMs: 30_000 }), { ...job, transition: 'stop' });
  expect(engine.stops).toEqual([{ name: `berth-${job.workspace.id}-side`, seconds: 30 }]);
});

it.each([
  ['image: "UPPER CASE"', 'resources[0].image: must be the name of an image'],
  ['image: a:1\n    cpus: many', 'resources[0].cpus: must be a number between 0.01 and 1024: it is "many"'],
  ['image: a:1\n    memory: 1m', 'resources[0].memory: must be a size from 16m up, such as 512m or 2g: it is "1m"'],
])('what cannot be made is refused with its line when the template is imported: %s', async (line, sentence) => {
  await open('silent:1');
  await writeFile(
    join(desk.template, 'berth.yaml'),
    `version: 1\nresources:\n  - name: dev\n    type: container\n    ${line}\n    agent: {}\n`,
  );
  const context: DriverContext = { log: () => undefined, signal: new AbortController().signal, inStage: (_, work) => work(context) };
  await expect(desk.driver().parse({ directory: desk.template, variableValues: [] }, context)).rejects.toThrow(sentence);
});

describe('the engine', () => {
  it('is looked for where Docker and Podman listen, unless somebody says where', async () => {
    await open('silent:1');
    const paths = engineAddresses({ host: undefined, runtimeDir: '/run/user/7' }).map((address) => ('path' in address ? address.path : ''));
    expect(paths).toEqual(['/var/run/docker.sock', '/run/user/7/docker.sock', '/run/podman/podman.sock', '/run/user/7/podman/podman.sock']);
    expect(parseEngineAddress('tcp://[::1]:2375')).toEqual({ kind: 'tcp', host: '::1', port: 2375 });
    expect((await findEngine({ host: `unix://${folder}/engine.sock`, runtimeDir: undefined })).engine?.address).toContain('engine.sock');
  });

  it.each([
    ['off', 'containers are off'],
    ['ssh://host', 'must be unix:///PATH or tcp://HOST:PORT, or off'],
    ['unix:///no/such.sock', 'There is no engine at unix:///no/such.sock.'],
    ['tcp://127.0.0.1:1', 'Nobody listens at tcp://127.0.0.1:1: the engine is not running.'],
  ])('is missing for a reason that a person can read: %s', async (host, reason) => {
    await open('silent:1');
    expect((await findEngine({ host, runtimeDir: undefined })).reason).toContain(reason);
  });
});

it('names of images, sizes and addresses are read as people write them', async () => {
  await open('silent:1');
  expect(parseReference('localhost:5000/a/b')).toEqual({ image: 'localhost:5000/a/b', tag: 'latest' });
  expect(parseReference('a:1@sha256:00')).toEqual({ image: 'a', tag: 'sha256:00' });
  expect([registryOf('debian'), registryOf('team/image'), registryOf('ghcr.io/a/b'), registryOf('localhost/a')]).toEqual([
    'https://index.docker.io/v1/',
    'https://index.docker.io/v1/',
    'ghcr.io',
    'localhost',
  ]);
  expect(['debian:12', 'a', 'ghcr.io/a/b@sha256:'.concat('0'.repeat(64))].map(referenceFault)).toEqual([undefined, undefined, undefined]);
  expect(['2g', '512m', '1.5GiB', '64MB', '1k', '2', 'g', '-1g'].map(toBytes)).toEqual([
    2 * 1024 ** 3,
    512 * 1024 ** 2,
    1.5 * 1024 ** 3,
    64 * 1024 ** 2,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(accessFrom('', 'https://berth.example.com').url).toBe('https://berth.example.com');
  expect(accessFrom('host', 'http://localhost:3000')).toEqual({ url: 'http://localhost:3000', extraHosts: [], hint: undefined });
  expect(accessFrom('lan', 'http://127.0.0.1:3000/').url).toBe('http://host.docker.internal:3000');
});
