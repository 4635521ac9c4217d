import type { Address, Session } from './connect.ts';
import { chosenUrl, openSession } from './connect.ts';
import type { Io } from './io.ts';
import type { OutputFormat } from './output.ts';
import { Output } from './output.ts';
import { Progress } from './progress.ts';
import { Prompts } from './prompts.ts';
import { SessionStore } from './sessions.ts';

/** What every command works with. */
export class Cli {
  readonly io: Io;
  readonly out: Output;
  readonly ask: Prompts;
  readonly store: SessionStore;
  /** `--url` and `--token` as they were given. */
  readonly address: Address;
  #session: Session | undefined;

  constructor(io: Io, { format, address }: { readonly format: OutputFormat; readonly address: Address }) {
    this.io = io;
    this.address = address;
    this.out = new Output(io, format);
    this.ask = new Prompts(io);
    this.store = new SessionStore(io);
  }

  /** Aborted at Ctrl-C. */
  get signal(): AbortSignal {
    return this.io.signal;
  }

  /** The signed-in session; throws when there is none. */
  session(): Session {
    this.#session ??= openSession(this.io, this.store, this.address);
    return this.#session;
  }

  /** The server that is meant, whether or not somebody is signed in. */
  url(): string {
    return chosenUrl(this.io, this.store, this.address);
  }

  /** Tells of work that takes a while, on stderr, until it ends. */
  async during<T>(text: string, work: (progress: Progress) => Promise<T>): Promise<T> {
    const progress = new Progress(this.io);
    progress.update(text);
    try {
      return await work(progress);
    } finally {
      progress.stop();
    }
  }
}
