import type { DriverLog } from '../../driver.ts';
import { DriverError } from '../../driver.ts';
import type { Engine } from './engine.ts';
import { EngineError } from './engine-error.ts';
import type { ImageDetails, PullProgress } from './engine-shapes.ts';
import { registryAuth } from './registry-auth.ts';

export interface ImageReference {
  readonly image: string;
  /** A tag, or a digest such as sha256:…. */
  readonly tag: string;
}

/** Splits a reference as Docker does. Without a tag it means `latest`: an engine that is told none fetches all of them. */
export function parseReference(reference: string): ImageReference {
  const at = reference.indexOf('@');
  if (at >= 0) {
    const name = parseReference(reference.slice(0, at));
    return { image: name.image, tag: reference.slice(at + 1) };
  }
  const colon = reference.lastIndexOf(':');
  if (colon > reference.lastIndexOf('/')) return { image: reference.slice(0, colon), tag: reference.slice(colon + 1) };
  return { image: reference, tag: 'latest' };
}

/** Why a text names no image, or undefined. */
export function referenceFault(reference: string): string | undefined {
  return /^[a-z0-9](?:[a-z0-9._/:-]*[a-z0-9])?(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@sha256:[a-f0-9]{64})?$/.test(reference)
    ? undefined
    : 'must be the name of an image, such as debian:12 or registry.example.com/team/image:tag';
}

export interface EnsureImage {
  readonly reference: string;
  readonly pull: 'missing' | 'always';
  /** The folder in which `docker login` keeps what it was told, if images may be fetched with it. */
  readonly credentials: string | undefined;
  readonly log: DriverLog;
  readonly signal: AbortSignal;
}

/** Sees to it that the engine has the image, and says what it is. Rejects with a sentence when it cannot be had. */
export async function ensureImage(engine: Engine, { reference, pull, credentials, log, signal }: EnsureImage): Promise<ImageDetails> {
  const present = await engine.findImage(reference, signal);
  if (present !== undefined && pull === 'missing') {
    log('info', `image ${reference} is there`);
    return present;
  }
  const { image, tag } = parseReference(reference);
  const summary = new PullSummary(reference, log);
  try {
    await engine.pullImage({
      image,
      tag,
      auth: await registryAuth(image, credentials),
      onProgress: (progress) => summary.add(progress),
      signal,
    });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (present !== undefined) {
      log('warn', `image ${reference} could not be fetched, so the one that is there is used: ${error.message}`);
      return present;
    }
    throw new DriverError(`The image ${reference} could not be fetched: ${error.message}`, { cause: error });
  }
  summary.end();
  const fetched = await engine.findImage(reference, signal);
  if (fetched === undefined) throw new DriverError(`The engine fetched the image ${reference}, but does not have it.`);
  return fetched;
}

/** What an engine says of one layer, and not of the whole. */
const LAYER_STATUS = /^(?:Pulling fs layer|Waiting|Downloading|Verifying|Download complete|Extracting|Pull complete|Already exists)/;
/** A line now and then instead of thousands. */
const EVERY_MS = 3000;

class PullSummary {
  readonly #reference: string;
  readonly #log: DriverLog;
  readonly #startedMs = performance.now();
  readonly #layers = new Map<string, { current: number; total: number; isDone: boolean }>();
  #saidMs = performance.now();

  constructor(reference: string, log: DriverLog) {
    this.#reference = reference;
    this.#log = log;
    log('info', `fetching image ${reference}`);
  }

  add({ id, status = '', progressDetail }: PullProgress): void {
    if (id === undefined || !LAYER_STATUS.test(status)) return;
    const layer = this.#layers.get(id) ?? { current: 0, total: 0, isDone: false };
    if (status === 'Downloading') {
      layer.current = progressDetail?.current ?? layer.current;
      layer.total = progressDetail?.total ?? layer.total;
    }
    if (status === 'Download complete') layer.current = layer.total;
    if (status === 'Pull complete' || status === 'Already exists') layer.isDone = true;
    this.#layers.set(id, layer);
    if (performance.now() - this.#saidMs < EVERY_MS) return;
    this.#saidMs = performance.now();
    this.#log('info', `fetching image ${this.#reference}: ${this.#describe()}`);
  }

  end(): void {
    const seconds = ((performance.now() - this.#startedMs) / 1000).toFixed(1);
    this.#log('info', `fetched image ${this.#reference} in ${seconds} s${this.#layers.size === 0 ? '' : `: ${this.#describe()}`}`);
  }

  #describe(): string {
    const layers = [...this.#layers.values()];
    const [current, total] = [sum(layers.map((layer) => layer.current)), sum(layers.map((layer) => layer.total))];
    return `${layers.filter((layer) => layer.isDone).length} of ${layers.length} layers, ${megabytes(current)} of ${megabytes(total)} MB`;
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(0);
