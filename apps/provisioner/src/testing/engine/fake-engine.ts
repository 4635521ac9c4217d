import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import { z } from 'zod';

/** What a test says about an image of the registry that the fake has. */
export interface FakeImage {
  readonly architecture?: string;
  /** What its containers say instead of starting the agent, before they end with code 1. */
  readonly fails?: string;
  /** Its containers run and say nothing. */
  readonly isSilent?: boolean;
  /** Whether the engine has it already. */
  readonly isThere?: boolean;
}

export interface FakeContainer {
  readonly id: string;
  readonly name: string;
  readonly body: z.output<typeof CreateBody>;
  readonly files: Set<string>;
  state: 'created' | 'running' | 'exited';
  exitCode: number;
  restarts: string;
}

const CreateBody = z.looseObject({
  Image: z.string(),
  Entrypoint: z.array(z.string()).optional(),
  Cmd: z.array(z.string()).optional(),
  Env: z.array(z.string()),
  User: z.string().optional(),
  StopSignal: z.string().optional(),
  Labels: z.record(z.string(), z.string()),
  HostConfig: z.looseObject({
    Privileged: z.boolean(),
    NetworkMode: z.string().optional(),
    ExtraHosts: z.array(z.string()),
    NanoCpus: z.number().optional(),
    Memory: z.number().optional(),
    Mounts: z.array(
      z.looseObject({
        Type: z.literal('volume'),
        Source: z.string(),
        Target: z.string(),
        ReadOnly: z.boolean(),
        VolumeOptions: z.object({ Labels: z.record(z.string(), z.string()) }),
      }),
    ),
  }),
  NetworkingConfig: z.object({ EndpointsConfig: z.record(z.string(), z.object({ Aliases: z.array(z.string()) })) }).optional(),
});
const Labelled = z.object({ Name: z.string(), Labels: z.record(z.string(), z.string()) });

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** What the path's braces stand for. */
  readonly name: string;
}

/**
 * A Docker engine that keeps its state and runs nothing, with the answers that the Docker Engine API documents. What it is asked in a way
 * that a real engine would refuse, it refuses.
 */
export class FakeEngine {
  readonly containers = new Map<string, FakeContainer>();
  readonly volumes = new Map<string, Record<string, string>>();
  readonly networks = new Map<string, { name: string; labels: Record<string, string> }>();
  readonly registry = new Map<string, FakeImage>();
  /** Of each stop: for which container, and how many seconds it had. */
  readonly stops: { name: string; seconds: number }[] = [];
  readonly authorizations: string[] = [];
  readonly #there = new Set<string>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async listen(socketPath: string): Promise<void> {
    for (const [reference, { isThere }] of this.registry) if (isThere === true) this.#there.add(reference);
    await once(this.#server.listen(socketPath), 'listening');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://engine');
    const path = url.pathname.replace(/^\/v1\.41/, '');
    for (const [method, pattern, handle] of this.#routes) {
      const match = request.method === method ? pattern.exec(path) : null;
      if (match === null) continue;
      try {
        await handle({ request, response, url, name: decodeURIComponent(match[1] ?? '') });
      } catch (error) {
        if (!(error instanceof Refused)) {
          send(response, 500, { message: String(error) });
          throw error;
        }
        request.resume();
        send(response, error.status, { message: error.message });
      }
      return;
    }
    send(response, 404, { message: `page not found: ${request.method} ${path}` });
  }

  readonly #routes: readonly [string, RegExp, (asked: Asked) => Promise<void> | void][] = [
    ['GET', /^\/_ping$/, ({ response }) => void response.setHeader('Api-Version', '1.41').end('OK')],
    ['GET', /^\/images\/(.+)\/json$/, (asked) => this.#inspectImage(asked)],
    ['POST', /^\/images\/create$/, (asked) => this.#pull(asked)],
    ['GET', /^\/volumes$/, ({ url, response }) => send(response, 200, { Volumes: this.#volumes(url), Warnings: null })],
    ['POST', /^\/volumes\/create$/, (asked) => this.#createVolume(asked)],
    ['DELETE', /^\/volumes\/(.+)$/, (asked) => this.#removeVolume(asked)],
    ['GET', /^\/networks$/, ({ url, response }) => send(response, 200, this.#networks(url))],
    ['POST', /^\/networks\/create$/, (asked) => this.#createNetwork(asked)],
    [
      'DELETE',
      /^\/networks\/(.+)$/,
      ({ name, response }) => send(response, this.networks.delete(name) ? 204 : 404, { message: 'no such network' }),
    ],
    ['GET', /^\/containers\/json$/, ({ url, response }) => send(response, 200, this.#list(url))],
    ['POST', /^\/containers\/create$/, (asked) => this.#createContainer(asked)],
    ['GET', /^\/containers\/([^/]+)\/json$/, (asked) => this.#inspect(asked)],
    ['PUT', /^\/containers\/([^/]+)\/archive$/, (asked) => this.#unpack(asked)],
    ['POST', /^\/containers\/([^/]+)\/start$/, (asked) => this.#start(asked)],
    ['POST', /^\/containers\/([^/]+)\/update$/, (asked) => this.#update(asked)],
    ['POST', /^\/containers\/([^/]+)\/stop$/, (asked) => this.#stop(asked)],
    ['GET', /^\/containers\/([^/]+)\/logs$/, (asked) => this.#logs(asked)],
    ['DELETE', /^\/containers\/([^/]+)$/, (asked) => this.#remove(asked)],
  ];

  #inspectImage({ name, response }: Asked): void {
    if (!this.#there.has(name)) throw new Refused(404, `No such image: ${name}`);
    send(response, 200, { Id: `sha256:${name}`, Os: 'linux', Architecture: this.registry.get(name)?.architecture ?? 'amd64' });
  }

  #pull({ request, url, response }: Asked): void {
    const reference = `${url.searchParams.get('fromImage')}:${url.searchParams.get('tag')}`;
    const authorization = request.headers['x-registry-auth'];
    if (typeof authorization === 'string') this.authorizations.push(Buffer.from(authorization, 'base64url').toString());
    if (!this.registry.has(reference)) throw new Refused(404, `manifest for ${reference} not found: manifest unknown`);
    response.writeHead(200, { 'content-type': 'application/json' });
    const lines = [
      { status: `Pulling from ${url.searchParams.get('fromImage')}`, id: url.searchParams.get('tag') },
      ...['a1', 'b2'].flatMap((id) => [
        { status: 'Pulling fs layer', progressDetail: {}, id },
        { status: 'Downloading', progressDetail: { current: 5_000_000, total: 10_000_000 }, progress: '[==>  ]', id },
        { status: 'Download complete', progressDetail: {}, id },
        { status: 'Pull complete', progressDetail: {}, id },
      ]),
      { status: 'Digest: sha256:0123' },
    ];
    for (const line of lines) response.write(`${JSON.stringify(line)}\r\n`);
    this.#there.add(reference);
    response.end();
  }

  async #createVolume({ request, response }: Asked): Promise<void> {
    const { Name, Labels } = Labelled.parse(JSON.parse(await text(request)));
    if (!this.volumes.has(Name)) this.volumes.set(Name, Labels);
    send(response, 201, { Name, Driver: 'local', Labels: this.volumes.get(Name), Scope: 'local' });
  }

  #removeVolume({ name, response }: Asked): void {
    const user = [...this.containers.values()].find(({ body }) => body.HostConfig.Mounts.some(({ Source }) => Source === name));
    if (user !== undefined) throw new Refused(409, `remove ${name}: volume is in use - [${user.id}]`);
    send(response, 204);
    this.volumes.delete(name);
  }

  async #createNetwork({ request, response }: Asked): Promise<void> {
    const { Name, Labels } = Labelled.parse(JSON.parse(await text(request)));
    if ([...this.networks.values()].some(({ name }) => name === Name)) throw new Refused(409, `network with name ${Name} already exists`);
    const id = randomBytes(32).toString('hex');
    this.networks.set(id, { name: Name, labels: Labels });
    send(response, 201, { Id: id, Warning: '' });
  }

  async #createContainer({ request, url, response }: Asked): Promise<void> {
    const name = url.searchParams.get('name') ?? '';
    const body = CreateBody.parse(JSON.parse(await text(request)));
    if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/.test(name)) throw new Refused(400, `Invalid container name (${name})`);
    if (!this.#there.has(body.Image)) throw new Refused(404, `No such image: ${body.Image}`);
    const other = [...this.containers.values()].find((container) => container.name === name);
    if (other !== undefined) {
      throw new Refused(409, `Conflict. The container name "/${name}" is already in use by container "${other.id}".`);
    }
    const network = body.HostConfig.NetworkMode;
    if (network?.startsWith('berth-') === true && ![...this.networks.values()].some((known) => known.name === network)) {
      throw new Refused(404, `network ${network} not found`);
    }
    for (const { Source, VolumeOptions } of body.HostConfig.Mounts) {
      if (!this.volumes.has(Source)) this.volumes.set(Source, VolumeOptions.Labels);
    }
    const id = randomBytes(32).toString('hex');
    this.containers.set(id, { id, name, body, files: new Set(), state: 'created', exitCode: 0, restarts: 'no' });
    send(response, 201, { Id: id, Warnings: [] });
  }

  #container(name: string): FakeContainer {
    const container = this.containers.get(name);
    if (container === undefined) throw new Refused(404, `No such container: ${name}`);
    return container;
  }

  #inspect({ name, response }: Asked): void {
    const { id, state, exitCode } = this.#container(name);
    send(response, 200, {
      Id: id,
      State: { Status: state, Running: state === 'running', ExitCode: exitCode, Error: '', OOMKilled: false },
    });
  }

  async #unpack({ name, request, response }: Asked): Promise<void> {
    const container = this.#container(name);
    const tar = extract();
    request.pipe(tar);
    for await (const entry of tar) {
      container.files.add(`/${entry.header.name}`);
      entry.resume();
    }
    send(response, 200);
  }

  #start({ name, response }: Asked): void {
    const container = this.#container(name);
    if (container.state === 'running') return send(response, 304);
    const image = this.registry.get(container.body.Image);
    container.state = image?.fails === undefined ? 'running' : 'exited';
    container.exitCode = image?.fails === undefined ? 0 : 1;
    send(response, 204);
  }

  async #update({ name, request, response }: Asked): Promise<void> {
    const { RestartPolicy } = z.object({ RestartPolicy: z.object({ Name: z.string() }) }).parse(JSON.parse(await text(request)));
    this.#container(name).restarts = RestartPolicy.Name;
    send(response, 200, { Warnings: null });
  }

  #stop({ name, url, response }: Asked): void {
    const container = this.#container(name);
    if (container.state !== 'running') return send(response, 304);
    container.state = 'exited';
    this.stops.push({ name: container.name, seconds: Number(url.searchParams.get('t')) });
    send(response, 204);
  }

  #logs({ name, response }: Asked): void {
    const image = this.registry.get(this.#container(name).body.Image);
    response.writeHead(200, { 'content-type': 'application/vnd.docker.raw-stream' });
    response.flushHeaders();
    const said = image?.fails ?? (image?.isSilent === true ? undefined : 'berth: the agent starts');
    for (const line of said === undefined ? [] : said.split('\n')) {
      const piece = Buffer.from(`${line}\n`);
      const header = Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]);
      header.writeUInt32BE(piece.byteLength, 4);
      response.write(Buffer.concat([header, piece]));
    }
    if (image?.fails !== undefined) response.end();
  }

  #remove({ name, response }: Asked): void {
    const { id } = this.#container(name);
    this.containers.delete(id);
    send(response, 204);
  }

  #list(url: URL): object[] {
    return [...this.containers.values()]
      .filter(({ body }) => matches(url, body.Labels))
      .map(({ id, name, state, body }) => ({ Id: id, Names: [`/${name}`], State: state, Labels: body.Labels, Image: body.Image }));
  }

  #volumes(url: URL): object[] {
    return [...this.volumes].filter(([, labels]) => matches(url, labels)).map(([Name, Labels]) => ({ Name, Driver: 'local', Labels }));
  }

  #networks(url: URL): object[] {
    return [...this.networks]
      .filter(([, { labels }]) => matches(url, labels))
      .map(([Id, { name, labels }]) => ({ Id, Name: name, Labels: labels }));
  }
}

class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function send(response: ServerResponse, status: number, body?: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body === undefined ? '' : JSON.stringify(body));
}

const Filters = z.object({ label: z.array(z.string()).default([]) });

function matches(url: URL, labels: Readonly<Record<string, string>>): boolean {
  const { label } = Filters.parse(JSON.parse(url.searchParams.get('filters') ?? '{}'));
  return label.every((pair) => labels[pair.slice(0, pair.indexOf('='))] === pair.slice(pair.indexOf('=') + 1));
}
