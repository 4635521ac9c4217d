import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface Fault {
  /** The first call is 1. */
  readonly atCall: number;
  /** Whether the engine still does what it is asked. */
  readonly when: 'before' | 'after';
  /** `once`: the next call works again. `for good`: nothing does any more, as for a process that has died. */
  readonly lasts: 'once' | 'for good';
}

/** A door in front of an engine, real or not, that hangs up where a test wants it to. */
export class FaultyDoor {
  readonly #target: string;
  readonly #server = createServer((incoming, outgoing) => {
    // A caller or an engine that hangs up in the middle is what this is about.
    this.#pass(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  /** Every call, as `METHOD /path`, without ids. */
  calls: string[] = [];
  fault: Fault | undefined;
  /** Runs when a call arrives, before it is passed on. */
  onCall: (call: number) => void = () => undefined;

  constructor(target: string) {
    this.#target = target;
  }

  async listen(socketPath: string): Promise<void> {
    await once(this.#server.listen(socketPath), 'listening');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  reset(fault?: Fault): void {
    this.calls = [];
    this.fault = fault;
    this.onCall = () => undefined;
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = new URL(incoming.url ?? '/', 'http://engine').pathname;
    this.calls.push(`${incoming.method} ${path.replace(/^\/v[\d.]+/, '').replaceAll(/[0-9a-f]{64}|berth-[0-9a-f-]{36}/g, '*')}`);
    const call = this.calls.length;
    this.onCall(call);
    const { fault } = this;
    const isFaulty = fault !== undefined && (call === fault.atCall || (fault.lasts === 'for good' && call > fault.atCall));
    if (isFaulty && (fault.when === 'before' || call > fault.atCall)) return void incoming.socket.destroy();
    const body = await buffer(incoming);
    const { connection: _, 'transfer-encoding': __, ...headers } = incoming.headers;
    const length = body.byteLength === 0 ? {} : { 'content-length': body.byteLength };
    const passed = ask({
      socketPath: this.#target,
      method: incoming.method,
      path: incoming.url,
      headers: { ...headers, ...length },
      agent: false,
    });
    passed.on('error', (error) => incoming.socket.destroy(error));
    outgoing.on('close', () => passed.destroy());
    passed.end(body.byteLength === 0 ? undefined : body);
    const [answer]: IncomingMessage[] = await once(passed, 'response');
    if (answer === undefined) throw new Error('There is no answer.');
    const contentType = answer.headers['content-type'];
    const version = answer.headers['api-version'];
    const kept = {
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(version === undefined ? {} : { 'api-version': version }),
    };
    if (path.endsWith('/logs')) {
      // What is followed has no end to wait for.
      if (isFaulty) return void incoming.socket.destroy();
      outgoing.writeHead(answer.statusCode ?? 500, kept);
      outgoing.flushHeaders();
      answer.on('error', () => outgoing.destroy()).pipe(outgoing);
      return;
    }
    const said = await buffer(answer);
    if (isFaulty) return void incoming.socket.destroy();
    outgoing.writeHead(answer.statusCode ?? 500, kept).end(said);
  }
}
