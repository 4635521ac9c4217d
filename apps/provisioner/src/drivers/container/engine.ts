import { createInterface } from 'node:readline';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { EngineAddress } from './engine-address.ts';
import { showAddress } from './engine-address.ts';
import { connectionProblem, EngineError, isConflict, isGone } from './engine-error.ts';
import { callEngine, readAnswer } from './engine-http.ts';
import type { EngineCall } from './engine-http.ts';
import {
  ContainerDetails,
  ContainerSummary,
  Created,
  ImageDetails,
  NetworkSummary,
  PullProgress,
  VolumeList,
  VolumeSummary,
} from './engine-shapes.ts';
import type { ContainerBody } from './engine-shapes.ts';

/** A pull may wait for a registry, and an archive for a disk. */
const PATIENCE_MS = 300_000;
const PING_MS = 3000;
const REMOVED_MS = 15_000;
const REMOVED_STEP_MS = 100;

type Labels = Readonly<Record<string, string>>;

export interface PullOptions {
  readonly image: string;
  readonly tag: string;
  /** For the registry, as the engine wants it. */
  readonly auth: string | undefined;
  readonly onProgress: (progress: PullProgress) => void;
  readonly signal: AbortSignal;
}

/**
 * The calls of the Docker Engine API that workspaces need. Each rejects with an `EngineError` whose message is for people, or with the
 * reason of its signal. What is asked to be as it is already counts as done.
 */
export class Engine {
  readonly #address: EngineAddress;
  readonly #version: string;

  constructor(address: EngineAddress, version: string) {
    this.#address = address;
    this.#version = version;
  }

  /** Rejects when nobody answers there within three seconds. */
  static async connect(address: EngineAddress): Promise<Engine> {
    const answer = await callEngine(address, { method: 'GET', path: '/_ping', silenceMs: PING_MS, signal: AbortSignal.timeout(PING_MS) });
    answer.resume();
    const version = answer.headers['api-version'];
    if (typeof version !== 'string' || !/^\d+\.\d+$/.test(version)) {
      throw new EngineError(`What listens at ${showAddress(address)} does not speak the Docker Engine API.`);
    }
    // The engine's own version: newer engines refuse the old ones, older engines do not know the new ones.
    return new Engine(address, version);
  }

  get address(): string {
    return showAddress(this.#address);
  }

  async findImage(reference: string, signal: AbortSignal): Promise<ImageDetails | undefined> {
    return await this.#read({ method: 'GET', path: `/images/${encodeReference(reference)}/json`, signal }, ImageDetails).catch(orUndefined);
  }

  async pullImage({ image, tag, auth, onProgress, signal }: PullOptions): Promise<void> {
    const answer = await this.#call({
      method: 'POST',
      path: '/images/create',
      query: { fromImage: image, tag },
      headers: auth === undefined ? {} : { 'x-registry-auth': auth },
      signal,
      silenceMs: PATIENCE_MS,
    });
    try {
      for await (const line of this.#lines(createInterface({ input: answer, crlfDelay: Number.POSITIVE_INFINITY }), signal)) {
        const progress = PullProgress.safeParse(parseLine(line));
        if (!progress.success) continue;
        if (progress.data.error !== undefined) throw new EngineError(progress.data.error);
        onProgress(progress.data);
      }
    } finally {
      answer.destroy();
    }
    signal.throwIfAborted();
  }

  async listVolumes(labels: Labels, signal?: AbortSignal): Promise<VolumeSummary[]> {
    const { Volumes } = await this.#read({ method: 'GET', path: '/volumes', query: filters(labels), signal }, VolumeList);
    return Volumes ?? [];
  }

  /* What creates has no signal: given up half-way, nobody would know whether the thing is there. */

  async createVolume(name: string, labels: Labels): Promise<void> {
    await this.#read({ method: 'POST', path: '/volumes/create', json: { Name: name, Labels: labels } }, VolumeSummary);
  }

  async removeVolume(name: string, signal?: AbortSignal): Promise<void> {
    await this.#done({ method: 'DELETE', path: `/volumes/${encodeURIComponent(name)}`, query: { force: 'true' }, signal }).catch(
      unlessGone,
    );
  }

  async listNetworks(labels: Labels, signal?: AbortSignal): Promise<NetworkSummary[]> {
    return await this.#read({ method: 'GET', path: '/networks', query: filters(labels), signal }, z.array(NetworkSummary));
  }

  async createNetwork(name: string, labels: Labels): Promise<void> {
    await this.#read({ method: 'POST', path: '/networks/create', json: { Name: name, Labels: labels, CheckDuplicate: true } }, Created);
  }

  async removeNetwork(id: string, signal?: AbortSignal): Promise<void> {
    await this.#done({ method: 'DELETE', path: `/networks/${encodeURIComponent(id)}`, signal }).catch(unlessGone);
  }

  /** Running or not. */
  async listContainers(labels: Labels, signal?: AbortSignal): Promise<ContainerSummary[]> {
    const query = { all: 'true', ...filters(labels) };
    return await this.#read({ method: 'GET', path: '/containers/json', query, signal }, z.array(ContainerSummary));
  }

  async findContainer(id: string, signal?: AbortSignal): Promise<ContainerDetails | undefined> {
    return await this.#read({ method: 'GET', path: `/containers/${id}/json`, signal }, ContainerDetails).catch(orUndefined);
  }

  async createContainer(name: string, body: ContainerBody): Promise<{ id: string; warnings: string[] }> {
    const created = await this.#read({ method: 'POST', path: '/containers/create', query: { name }, json: body }, Created);
    return { id: created.Id, warnings: created.Warnings ?? [] };
  }

  /** Unpacks a tar at the root of the container. */
  async putArchive(id: string, tar: Readable, signal: AbortSignal): Promise<void> {
    await this.#done({ method: 'PUT', path: `/containers/${id}/archive`, query: { path: '/' }, tar, signal, silenceMs: PATIENCE_MS });
  }

  async startContainer(id: string, signal: AbortSignal): Promise<void> {
    await this.#done({ method: 'POST', path: `/containers/${id}/start`, signal, silenceMs: PATIENCE_MS });
  }

  /** Makes the engine start it again when it or its host comes back. Not all engines can; that is no failure. */
  async keepRunning(id: string, signal: AbortSignal): Promise<void> {
    const json = { RestartPolicy: { Name: 'unless-stopped' } };
    await this.#done({ method: 'POST', path: `/containers/${id}/update`, json, signal }).catch((error: unknown) => {
      if (!(error instanceof EngineError) || error.status === 0) throw error;
    });
  }

  /** Asks the container to end, and kills it after `graceMs`. */
  async stopContainer(id: string, graceMs: number, signal?: AbortSignal): Promise<void> {
    const seconds = Math.ceil(graceMs / 1000);
    const query = { t: String(seconds) };
    const silenceMs = graceMs + PATIENCE_MS / 5;
    await this.#done({ method: 'POST', path: `/containers/${id}/stop`, query, signal, silenceMs }).catch(unlessGone);
  }

  /** Resolves when it is gone, with the volumes that nobody named. */
  async removeContainer(id: string, signal?: AbortSignal): Promise<void> {
    const call = { method: 'DELETE', path: `/containers/${id}`, query: { force: 'true', v: 'true' }, signal } as const;
    for (let waitedMs = 0; ; waitedMs += REMOVED_STEP_MS) {
      try {
        return await this.#done(call).catch(unlessGone);
      } catch (error) {
        // Somebody else is removing it.
        if (!isConflict(error) || waitedMs >= REMOVED_MS) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, REMOVED_STEP_MS));
    }
  }

  /** What the container says, line by line, until it ends or the reader stops. */
  async *followLogs(id: string, signal: AbortSignal): AsyncGenerator<string> {
    const query = { follow: 'true', stdout: 'true', stderr: 'true', tail: '200' };
    const answer = await this.#call({ method: 'GET', path: `/containers/${id}/logs`, query, signal, silenceMs: PATIENCE_MS });
    try {
      yield* this.#lines(linesOf(answer), signal);
    } finally {
      answer.destroy();
    }
  }

  async #call(call: EngineCall): Promise<IncomingMessage> {
    return await callEngine(this.#address, { ...call, path: `/v${this.#version}${call.path}` });
  }

  async #read<T>(call: EngineCall, schema: z.ZodType<T>): Promise<T> {
    try {
      return await readAnswer(await this.#call(call), schema);
    } catch (error) {
      throw this.#problem(error, call.signal);
    }
  }

  async *#lines(lines: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string> {
    try {
      yield* lines;
    } catch (error) {
      throw this.#problem(error, signal);
    }
  }

  /** What broke off in the middle of an answer, in the words of what was never begun. */
  #problem(error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted === true) return signal.reason;
    return error instanceof EngineError ? error : connectionProblem(this.#address, error);
  }

  async #done(call: EngineCall): Promise<void> {
    (await this.#call(call)).resume();
  }
}

function filters(labels: Labels): { filters: string } {
  return { filters: JSON.stringify({ label: Object.entries(labels).map(([name, value]) => `${name}=${value}`) }) };
}

/** A reference stands in a path with its slashes. */
function encodeReference(reference: string): string {
  return reference.split('/').map(encodeURIComponent).join('/');
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function orUndefined(error: unknown): undefined {
  if (!isGone(error)) throw error;
}

function unlessGone(error: unknown): void {
  if (!isGone(error)) throw error;
}

const HEADER_BYTES = 8;
/** A program may write without ever ending a line. */
const LINE_CHARS = 8192;

/** The lines of both outputs. Each piece comes with a header of eight bytes: which output it is of, and how long it is. */
async function* linesOf(answer: IncomingMessage): AsyncGenerator<string> {
  let buffer = Buffer.alloc(0);
  let text = '';
  for await (const chunk of answer) {
    buffer = Buffer.concat([buffer, Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))]);
    while (buffer.byteLength >= HEADER_BYTES) {
      const end = HEADER_BYTES + buffer.readUInt32BE(4);
      if (buffer.byteLength < end) break;
      text += buffer.toString('utf8', HEADER_BYTES, end);
      buffer = buffer.subarray(end);
      const lines = text.split('\n');
      text = (lines.pop() ?? '').slice(-LINE_CHARS);
      for (const line of lines) yield line.trimEnd().slice(0, LINE_CHARS);
    }
  }
  if (text.trim() !== '') yield text.trimEnd();
}
