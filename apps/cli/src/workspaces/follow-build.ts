import { setTimeout as delay } from 'node:timers/promises';
import type { WorkspaceBuild } from '@berth/api/contract/builds';
import type { ProvisionerJobLog } from '@berth/api/contract/provisioner-jobs';
import type { WhyAction } from '@berth/domain';
import { isJobActive } from '@berth/domain';
import type { Cli } from '../frame/cli.ts';
import { CliError, EXIT, interrupted } from '../frame/errors.ts';
import { Pace } from '../frame/pace.ts';
import { patiently } from '../frame/patiently.ts';
import { plainLines } from '../frame/plain-text.ts';
import type { Progress } from '../frame/progress.ts';
import { refOf } from '../frame/workspace-ref.ts';

const LOOK = { minMs: 400, maxMs: 2000 };
/** A job that waits longer than this is worth a word about why. */
const WAITS_LONG_MS = 2000;
/** The server ends jobs long before that. */
const GIVE_UP_MS = 6 * 3_600_000;

const DOING = { start: 'Starting', stop: 'Stopping', delete: 'Deleting' } as const;

/**
 * Tells of a build until it ends, with its log on stderr, and answers how it ended; throws when it failed or was canceled. Ctrl-C only
 * stops the telling.
 */
export async function followBuild(cli: Cli, build: WorkspaceBuild): Promise<WorkspaceBuild> {
  const ref = refOf({ owner_name: build.workspace_owner_name, name: build.workspace_name });
  const title = `${DOING[build.transition]} ${ref}`;
  let ended: WorkspaceBuild;
  try {
    ended = await cli.during(title, (progress) => untilEnded(cli, build, { title, progress }));
  } catch (error) {
    if (!cli.signal.aborted) throw error;
    cli.out.note(`The build continues. See: berth logs ${ref} --follow`);
    throw interrupted();
  }
  if (ended.job.status === 'succeeded') return ended;
  throw await failure(cli, ended, ref);
}

interface Telling {
  readonly title: string;
  readonly progress: Progress;
}

async function untilEnded(cli: Cli, build: WorkspaceBuild, telling: Telling): Promise<WorkspaceBuild> {
  const { client } = cli.session();
  const { title, progress } = telling;
  const startedMs = Date.now();
  const pace = new Pace(LOOK);
  const path = { workspacebuild: build.id };
  let after = 0;
  for (;;) {
    // The state first: once it says that the job has ended, the log that is read next has its end.
    const now = await patiently(() => client.builds.get.query(path), cli);
    const lines = await patiently(() => client.builds.logs.query({ ...path, after }), cli);
    tell(lines, telling);
    after = lines.at(-1)?.id ?? after;
    const hasEnded = !isJobActive(now.job.status);
    if (hasEnded && lines.length === 0) return now;
    if (hasEnded) continue;
    const waitedMs = Date.now() - startedMs;
    if (waitedMs > GIVE_UP_MS) throw new CliError(EXIT.unavailable, `${title} has not ended in ${GIVE_UP_MS / 3_600_000} hours.`);
    if (now.job.status === 'pending' && waitedMs > WAITS_LONG_MS) {
      const why = await patiently(() => client.builds.why.query(path), cli);
      progress.update(`${title}: ${why.sentence}`);
    }
    await delay(pace.next(lines.length > 0), undefined, { signal: cli.signal });
  }
}

function tell(lines: readonly ProvisionerJobLog[], { title, progress }: Telling): void {
  for (const { stage, output, log_level } of lines) {
    if (stage !== '') progress.update(`${title}: ${stage}`);
    if (output !== '' && log_level !== 'trace' && log_level !== 'debug') progress.above(`  ${plainLines(output).trimEnd()}`);
  }
}

async function failure(cli: Cli, build: WorkspaceBuild, ref: string): Promise<CliError> {
  const why = await cli.session().client.builds.why.query({ workspacebuild: build.id });
  return new CliError(EXIT.failed, why.sentence === '' ? `The build of ${ref} is ${build.job.status}.` : why.sentence, {
    next: NEXT[why.action]?.(ref) ?? `See: berth logs ${ref} --build ${build.build_number}`,
  });
}

/** What helps most, as a command where there is one. */
const NEXT: Readonly<Partial<Record<WhyAction, (ref: string) => string>>> = {
  retry: (ref) => `Try again with: berth start ${ref}`,
  update: (ref) => `A newer version of the template may help: berth update ${ref}`,
  fix_parameters: (ref) => `Change its parameters with: berth start ${ref} --parameter name=value`,
  raise_quota: () => 'Delete a workspace, or ask an administrator for a larger quota.',
};
