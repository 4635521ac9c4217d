import type { DriverLog } from '../../driver.ts';
import { DriverError } from '../../driver.ts';
import { EngineError } from './engine-error.ts';
import type { Engine } from './engine.ts';

export interface WaitUntilUp {
  readonly id: string;
  readonly resource: string;
  readonly limitMs: number;
  readonly log: DriverLog;
  readonly signal: AbortSignal;
}

/** What the start script says last. */
const STARTS = 'berth: the agent starts';
const SHOWN = 10;

/**
 * Resolves when the agent of a container begins to run, or has not failed to for `limitMs`. Rejects with what the container said when it
 * ended instead.
 */
export async function waitUntilUp(engine: Engine, { id, resource, limitMs, log, signal }: WaitUntilUp): Promise<void> {
  const late = AbortSignal.timeout(limitMs);
  const said: string[] = [];
  try {
    for await (const line of engine.followLogs(id, AbortSignal.any([signal, late]))) {
      if (line.includes(STARTS)) return;
      log('debug', `${resource}: ${line}`);
      said.push(line);
      if (said.length > SHOWN) said.shift();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) {
      const last = said.at(-1);
      log('warn', `${resource}: no agent has started in ${limitMs / 1000} s${last === undefined ? '' : `; its last word is: ${last}`}`);
      return;
    }
    if (!(error instanceof EngineError)) throw error;
    log('debug', `${resource}: the engine does not show what the container says: ${error.message}`);
  }
  const container = await engine.findContainer(id, signal);
  if (container?.State.Running === true) return;
  const { ExitCode: code = 0, Error: reason, OOMKilled: isOutOfMemory } = container?.State ?? {};
  const how = isOutOfMemory === true ? 'ran out of memory' : `ended at once with exit code ${code}`;
  const words = [reason ?? '', ...said].filter((line) => line !== '');
  throw new DriverError([`The container of ${resource} ${how}${words.length === 0 ? ', without a word.' : ':'}`, ...words].join('\n'));
}
