import { backoff } from '@berth/client';

export type TerminalState =
  /** Dialling for the first time. */
  | 'connecting'
  | 'open'
  /** The connection broke; the shell lives on, and we dial again. */
  | 'reconnecting'
  /** The shell itself has ended: dialling again would begin a new one. */
  | 'ended'
  /** The server does not let this person in (any more): dialling again would be refused too. */
  | 'refused';

export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

export interface TerminalHandlers {
  /** `reason` is what the server said at the end of a shell, or to who may not have it; else empty. */
  readonly onState: (state: TerminalState, reason: string) => void;
  /** The connection is there (again): the server repeats the scroll-back, so what is on the screen must go. */
  readonly onAttach: () => void;
  readonly onOutput: (bytes: Uint8Array) => void;
}

export interface TerminalOptions extends TerminalHandlers {
  /** The address for a terminal of this size; asked at each dial. */
  readonly url: (size: TerminalSize) => string;
  readonly size: TerminalSize;
  readonly WebSocket?: typeof globalThis.WebSocket;
  /** Runs a function later; what it returns takes that back. Injected in tests. */
  readonly later?: (run: () => void, milliseconds: number) => () => void;
}

const NORMAL_CLOSE = 1000;
const REFUSED_CLOSE = 1008;

/** One shell over one WebSocket after another: dials again by itself until it is closed or the shell has ended. */
export class TerminalConnection {
  readonly #options: TerminalOptions;
  readonly #delays = backoff({ minMs: 300, maxMs: 5000 });
  #size: TerminalSize;
  #socket: WebSocket | undefined;
  #cancelDial: (() => void) | undefined;
  #isClosed = false;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#size = options.size;
    this.#dial('connecting');
  }

  /** Keys pressed while there is no connection are lost, as the notice says. */
  write(data: string): void {
    this.#send({ data });
  }

  resize(size: TerminalSize): void {
    this.#size = size;
    this.#send(size);
  }

  /** Dials now instead of at the next turn. */
  retry(): void {
    if (this.#isClosed || this.#socket !== undefined) return;
    this.#cancelDial?.();
    this.#dial('reconnecting');
  }

  /** Leaves; the shell lives on for whoever comes back to it. */
  close(): void {
    this.#isClosed = true;
    this.#cancelDial?.();
    this.#socket?.close(NORMAL_CLOSE);
    this.#socket = undefined;
  }

  #dial(state: TerminalState): void {
    this.#options.onState(state, '');
    const socket = new (this.#options.WebSocket ?? WebSocket)(this.#options.url(this.#size));
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => {
      if (this.#socket !== socket) return;
      this.#delays.opened();
      this.#options.onAttach();
      this.#options.onState('open', '');
      // The window may have changed while the dial was under way.
      this.#send(this.#size);
    });
    socket.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (this.#socket === socket && event.data instanceof ArrayBuffer) this.#options.onOutput(new Uint8Array(event.data));
    });
    socket.addEventListener('close', (event) => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#delays.closed();
      if (this.#isClosed) return;
      if (event.code === NORMAL_CLOSE) this.#options.onState('ended', endSentence(event.reason));
      else if (event.code === REFUSED_CLOSE) this.#options.onState('refused', event.reason);
      else this.#dialLater();
    });
  }

  #dialLater(): void {
    this.#options.onState('reconnecting', '');
    this.#cancelDial = (this.#options.later ?? timeout)(() => this.#dial('reconnecting'), this.#delays.next());
  }

  #send(message: object): void {
    if (this.#socket?.readyState === 1) this.#socket.send(new TextEncoder().encode(JSON.stringify(message)));
  }
}

/** What people are told of the end of a shell: the message in the reason of the close, which is JSON; empty when it is something else. */
function endSentence(reason: string): string {
  try {
    const parsed: unknown = JSON.parse(reason);
    const isReport = typeof parsed === 'object' && parsed !== null && 'message' in parsed && typeof parsed.message === 'string';
    return isReport ? String(parsed.message) : '';
  } catch {
    return '';
  }
}

function timeout(run: () => void, milliseconds: number): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
}
