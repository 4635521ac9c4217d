import { setTimeout as delay } from 'node:timers/promises';

import type { ProvisionerJob, ProvisionerJobLog } from '@berth/api/contract/provisioner-jobs';
import { isJobActive } from '@berth/domain';

import type { Cli } from '../frame/cli.ts';
import { CliError, EXIT, interrupted } from '../frame/errors.ts';
import { durationText } from '../frame/times.ts';
import { patiently } from '../frame/patiently.ts';
import { plainLines } from '../frame/plain-text.ts';
import type { Progress } from '../frame/progress.ts';

const LOOK_MS = 500;
/** A job that waits longer than this gets its reason printed. */
const WAITS_LONG_MS = 2000;
const TIMEOUT_MS = 3 * 3_600_000;

export interface FollowedJob {
  readonly title: string;
  job(): Promise<ProvisionerJob>;
  lines(after: number): Promise<readonly ProvisionerJobLog[]>;
  /** Why it is still pending, as a sentence. */
  whyPending(): Promise<string>;
  /** How long to wait for its end. */
  readonly timeoutMs?: number | undefined;
  /** What to do when the wait ends before the job. */
  readonly next: string;
}

/** Prints the log of a job on stderr until the job ends, and returns its end. Ctrl-C and the timeout only end the wait. */
export async function followJob(cli: Cli, followed: FollowedJob): Promise<ProvisionerJob> {
  try {
    return await cli.during(followed.title, (progress) => untilEnded(cli, followed, progress));
  } catch (error) {
    if (!cli.signal.aborted) throw error;
    cli.out.note(followed.next);
    throw interrupted();
  }
}

async function untilEnded(
  cli: Cli,
  { title, job, lines, whyPending, timeoutMs = TIMEOUT_MS, next }: FollowedJob,
  progress: Progress,
): Promise<ProvisionerJob> {
  const started = performance.now();
  let after = 0;
  for (;;) {
    // The state first: once it says that the job has ended, the log that is read next is complete.
    const now = await patiently(job, cli);
    const added = await patiently(() => lines(after), cli);
    for (const { stage, output, log_level } of added) {
      if (stage !== '') progress.update(`${title}: ${stage}`);
      if (output !== '' && log_level !== 'trace' && log_level !== 'debug') progress.above(`  ${plainLines(output).trimEnd()}`);
    }
    after = added.at(-1)?.id ?? after;
    if (!isJobActive(now.status)) {
      if (added.length === 0) return now;
      continue;
    }
    const waitedMs = performance.now() - started;
    const why = now.status === 'pending' && waitedMs > Math.min(WAITS_LONG_MS, timeoutMs) ? await patiently(whyPending, cli) : '';
    if (why !== '') progress.update(`${title}: ${why}`);
    if (waitedMs > timeoutMs) {
      const message = `${title} has not ended within ${durationText(timeoutMs)}.`;
      throw new CliError(EXIT.unavailable, why === '' ? message : `${message} ${why}`, { next });
    }
    await delay(Math.min(LOOK_MS, timeoutMs), undefined, { signal: cli.signal });
  }
}
