/** A line of any log: ids increase, and a feed resumes after the last one it has. */
export interface FeedLine {
  readonly id: number;
}

export type FeedState = 'connecting' | 'live' | 'ended' | 'failed';

export interface FeedSnapshot<Line extends FeedLine> {
  readonly lines: readonly Line[];
  readonly state: FeedState;
  /** Why the feed failed; null unless it did. */
  readonly error: unknown;
}

export interface FeedHandlers<Line extends FeedLine> {
  readonly onStarted: () => void;
  readonly onLines: (lines: readonly Line[]) => void;
  readonly onEnded: () => void;
  readonly onFailed: (error: unknown) => void;
}

/** Opens the stream after the line with this id (0: from the beginning); what it returns closes it. */
export type OpenFeed<Line extends FeedLine> = (after: number, handlers: FeedHandlers<Line>) => () => void;

export interface FeedOptions<Line extends FeedLine> {
  readonly open: OpenFeed<Line>;
  /** Called once, when the server has said that no more lines will come. */
  readonly onEnded?: (() => void) | undefined;
  /** Runs a flush soon; many lines that arrive together become one change of the page. */
  readonly schedule?: (flush: () => void) => void;
}

/**
 * A log as it grows, for `useSyncExternalStore`: open while somebody looks, and resumed without a gap or a repetition when somebody looks
 * again.
 */
export class LogFeed<Line extends FeedLine> {
  readonly #options: FeedOptions<Line>;
  readonly #listeners = new Set<() => void>();
  #snapshot: FeedSnapshot<Line> = { lines: [], state: 'connecting', error: null };
  #waiting: Line[] = [];
  #isScheduled = false;
  #lastId = 0;
  #close: (() => void) | undefined;

  constructor(options: FeedOptions<Line>) {
    this.#options = options;
  }

  readonly getSnapshot = (): FeedSnapshot<Line> => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1 && this.#snapshot.state !== 'ended') this.#open();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#close?.();
      this.#close = undefined;
    };
  };

  readonly retry = (): void => {
    this.#close?.();
    this.#open();
  };

  #open(): void {
    this.#change({ state: 'connecting', error: null });
    let isCurrent = true;
    const ifCurrent =
      <Args extends readonly unknown[]>(run: (...args: Args) => void) =>
      (...args: Args): void => {
        if (isCurrent) run(...args);
      };
    const close = this.#options.open(this.#lastId, {
      onStarted: ifCurrent(() => this.#change({ state: 'live', error: null })),
      onLines: ifCurrent((lines) => this.#take(lines)),
      onEnded: ifCurrent(() => {
        this.#flush();
        this.#change({ state: 'ended', error: null });
        this.#options.onEnded?.();
      }),
      onFailed: ifCurrent((error) => this.#change({ state: 'failed', error })),
    });
    this.#close = () => {
      isCurrent = false;
      close();
    };
  }

  #take(lines: readonly Line[]): void {
    for (const line of lines) {
      // After a reconnect the server may send again what it had sent.
      if (line.id <= this.#lastId) continue;
      this.#lastId = line.id;
      this.#waiting.push(line);
    }
    if (this.#waiting.length === 0 || this.#isScheduled) return;
    this.#isScheduled = true;
    (this.#options.schedule ?? nextFrame)(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    const lines = [...this.#snapshot.lines, ...this.#waiting];
    this.#waiting = [];
    this.#change({ lines });
  }

  #change(part: Partial<FeedSnapshot<Line>>): void {
    this.#snapshot = { ...this.#snapshot, ...part };
    for (const tell of this.#listeners) tell();
  }
}

/** A hidden tab has no frames, and a log must not pile up there unseen by the page. */
function nextFrame(flush: () => void): void {
  if (document.hidden) setTimeout(flush, 250);
  else requestAnimationFrame(flush);
}
