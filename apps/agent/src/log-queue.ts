import { randomUUID } from 'node:crypto';

import { AGENT_LIMITS } from '@berth/protocol/agent';
import type { AgentLogLevel, AgentLogLine } from '@berth/protocol/agent';

import type { Log } from './log.ts';
import type { Session } from './session.ts';
import { now } from './timing.ts';

const FIRST_DELAY_MS = 250;
const DELAY_MS = 1000;
const LINE_OVERHEAD_BYTES = 21;
/** Output in one call, in bytes. */
const BATCH_BYTES_MAX = 256 * 1024;

/** The lines of scripts on their way to the server. */
export interface LogQueue {
  /** One line, cut into several when it is long. Never waits: what does not fit into 1 MiB is dropped, and a note says so. */
  push(sourceId: string, level: AgentLogLevel, output: string): void;
  /** Sends what is there without delay; resolves when the server has it. */
  flush(): Promise<void>;
}

interface Queued {
  readonly sourceId: string;
  readonly line: AgentLogLine;
  readonly bytes: number;
}

/**
 * Batches lines: the first ones leave after 250 ms, later ones each second. They wait while the server is away, and are numbered, so
 * that it keeps a batch once which it got twice because an answer was lost.
 */
export function queueLogs(session: Pick<Session, 'deliver'>, log: Log): LogQueue {
  const sessionId = randomUUID();
  let queue: Queued[] = [];
  /** The number of the first line in the queue. */
  let sequence = 0;
  let queuedBytes = 0;
  let dropped = 0;
  let isOverflowed = false;
  let lastSent = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  function add(sourceId: string, level: AgentLogLevel, output: string): void {
    const bytes = Buffer.byteLength(output) + LINE_OVERHEAD_BYTES;
    queue.push({ sourceId, bytes, line: { created_at: now(), level, output } });
    queuedBytes += bytes;
  }

  function push(sourceId: string, level: AgentLogLevel, output: string): void {
    if (isOverflowed) return;
    for (const piece of cut(output)) {
      if (queuedBytes + Buffer.byteLength(piece) > AGENT_LIMITS.logTotalBytesMax) {
        dropped += 1;
        continue;
      }
      if (dropped > 0) {
        const lines = dropped === 1 ? '1 line was' : `${dropped} lines were`;
        add(sourceId, 'warn', `${lines} dropped here: more than 1 MiB waited for the server.`);
      }
      dropped = 0;
      add(sourceId, level, piece);
    }
    schedule();
  }

  function schedule(): void {
    if (timer !== undefined || sending !== undefined || queue.length === 0) return;
    const delay = Math.max(FIRST_DELAY_MS, lastSent + DELAY_MS - performance.now());
    timer = setTimeout(() => void send(), Math.min(DELAY_MS, delay));
  }

  function send(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
      lastSent = performance.now();
      schedule();
    });
    return sending;
  }

  async function sendAll(): Promise<void> {
    while (queue.length > 0 && !isOverflowed) {
      const batch = takeBatch(queue);
      const [first] = batch;
      if (first === undefined) return;
      try {
        const report = { log_source_id: first.sourceId, session_id: sessionId, sequence, logs: batch.map(({ line }) => line) };
        const { overflowed } = await session.deliver((api, signal) => api.reportLogs.mutate(report, { signal }));
        isOverflowed = overflowed;
      } catch (error) {
        log('error', `${batch.length} log lines could not be reported`, error);
      }
      queue = queue.slice(batch.length);
      sequence += batch.length;
      for (const { bytes } of batch) queuedBytes -= bytes;
    }
    if (!isOverflowed) return;
    queue = [];
    queuedBytes = 0;
    log('warn', 'The server keeps no more logs of this agent');
  }

  return {
    push,
    flush: async () => {
      // What was pushed while the last batch was under way needs one more round.
      while (queue.length > 0 && !isOverflowed) await send();
    },
  };
}

/** Consecutive lines of one source, within the bounds of a call. */
function takeBatch(queue: readonly Queued[]): Queued[] {
  const batch: Queued[] = [];
  let bytes = 0;
  for (const entry of queue) {
    const isFull = batch.length >= AGENT_LIMITS.logLinesMax || bytes + entry.bytes > BATCH_BYTES_MAX;
    if (batch.length > 0 && (isFull || entry.sourceId !== batch[0]?.sourceId)) break;
    batch.push(entry);
    bytes += entry.bytes;
  }
  return batch;
}

function cut(output: string): string[] {
  if (output.length <= AGENT_LIMITS.logOutputMax) return [output];
  const pieces: string[] = [];
  for (let start = 0; start < output.length;) {
    let end = start + AGENT_LIMITS.logOutputMax;
    // Never between the halves of a surrogate pair.
    if ((output.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    pieces.push(output.slice(start, end));
    start = end;
  }
  return pieces;
}
