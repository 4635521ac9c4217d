import { setTimeout as delay } from 'node:timers/promises';

import type { ProvisionerJob, ProvisionerJobLog } from '@berth/api/contract/provisioner-jobs';
import { isJobActive } from '@berth/domain';

import type { Cli } from '../frame/cli.ts';
import { CliError, EXIT } from '../frame/errors.ts';
import { patiently } from '../frame/patiently.ts';
import { plainLines } from '../frame/plain-text.ts';

const LOOK_MS = 500;
const GIVE_UP_MS = 3 * 3_600_000;

export interface FollowedJob {
  readonly title: string;
  job(): Promise<ProvisionerJob>;
  lines(after: number): Promise<readonly ProvisionerJobLog[]>;
}

/** Tells of a job on stderr, line by line, until it ends, and answers how. */
export async function followJob(cli: Cli, { title, job, lines }: FollowedJob): Promise<ProvisionerJob> {
  return cli.during(title, async (progress) => {
    const deadline = performance.now() + GIVE_UP_MS;
    let after = 0;
    for (;;) {
      // The state first: once it says that the job has ended, the log that is read next has its end.
      const now = await patiently(job, cli);
      const news = await patiently(() => lines(after), cli);
      for (const { stage, output, log_level } of news) {
        if (stage !== '') progress.update(`${title}: ${stage}`);
        if (output !== '' && log_level !== 'trace' && log_level !== 'debug') progress.above(`  ${plainLines(output).trimEnd()}`);
      }
      after = news.at(-1)?.id ?? after;
      if (!isJobActive(now.status)) {
        if (news.length === 0) return now;
        continue;
      }
      if (performance.now() > deadline) throw new CliError(EXIT.unavailable, `${title} has not ended in ${GIVE_UP_MS / 3_600_000} hours.`);
      await delay(LOOK_MS, undefined, { signal: cli.signal });
    }
  });
}
