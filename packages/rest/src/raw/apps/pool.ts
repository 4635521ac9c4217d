import type { ClientRequest } from 'node:http';
import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppTarget, Principal, Services } from '@berth/api/server';
import { dial } from './dial.ts';

/** Connections that wait for the next request, for each visitor of an app: as many as a browser has. */
const IDLE_MAX = 6;
/** Shorter than servers keep idle connections, so that it is us who end them: five seconds are usual. */
const IDLE_MS = 4_000;
const FOREVER = new AbortController().signal;

/**
 * Connections to apps that are used again, which spares each thing that a page loads two trips to the workspace: one through the tunnel to
 * connect, one to be told so (measured with both cores busy: a small answer in 6 ms instead of 27, at half the CPU time). Each visitor has
 * their own, so that nothing that an app ties to a connection is ever somebody else's.
 */
export class AppConnections {
  readonly #services: Services;
  readonly #agents = new Map<string, AppAgent>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** For `http.request`: connects when no connection waits; fails as `dial` does. */
  agentFor(target: AppTarget, principal: Principal): Agent {
    const { agentId, protocol, port } = target;
    const key = `${agentId} ${protocol} ${port} ${principal.kind === 'user' ? principal.userId : ''}`;
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const made = new AppAgent(
      () => dial(this.#services, target, FOREVER),
      () => void this.#agents.delete(key),
    );
    this.#agents.set(key, made);
    return made;
  }
}

class AppAgent extends Agent {
  readonly #dial: () => Promise<Duplex>;
  readonly #idle = new WeakMap<Duplex, NodeJS.Timeout>();
  readonly #onUnused: () => void;
  #open = 0;

  constructor(connect: () => Promise<Duplex>, onUnused: () => void) {
    super({ keepAlive: true, maxFreeSockets: IDLE_MAX, scheduling: 'lifo' });
    this.#dial = connect;
    this.#onUnused = onUnused;
  }

  override createConnection(_: object, done?: (error: Error | null, stream: Duplex) => void): undefined {
    this.#open += 1;
    this.#dial().then(
      (stream) => {
        stream.once('close', () => this.#closed());
        // A stream through a tunnel may end on one side alone; nothing more would ever be answered on this one.
        stream.once('end', () => stream.destroy());
        done?.(null, stream);
      },
      (error: unknown) => {
        this.#closed();
        // Node takes the error alone; its type says otherwise.
        Reflect.apply(done ?? Function.prototype, undefined, [error]);
      },
    );
  }

  /** Without a timer of the connection's own, which would be set and taken back for each request. */
  override keepSocketAlive(stream: Duplex): boolean {
    if (stream.destroyed) return false;
    const timer = setTimeout(() => stream.destroy(), IDLE_MS);
    timer.unref();
    this.#idle.set(stream, timer);
    return true;
  }

  override reuseSocket(stream: Duplex, request: ClientRequest): void {
    clearTimeout(this.#idle.get(stream));
    super.reuseSocket(stream, request);
  }

  #closed(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#onUnused();
  }
}
