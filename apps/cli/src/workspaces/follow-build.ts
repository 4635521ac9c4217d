import { setTimeout as delay } from 'node:timers/promises';
import type { WorkspaceBuild } from '@berth/api/contract/builds';
import type { WhyAction } from '@berth/domain';
import { isJobActive } from '@berth/domain';
import type { Cli } from '../frame/cli.ts';
import { CliError, EXIT } from '../frame/errors.ts';
import { plainLines } from '../frame/plain-text.ts';
import type { Progress } from '../frame/progress.ts';
import { refOf } from '../frame/workspace-ref.ts';

const LOOK_MS = 600;
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
  const ended = await cli.during(`${DOING[build.transition]} ${ref}`, (progress) => untilEnded(cli, build, { ref, progress }));
  if (ended.job.status === 'succeeded') return ended;
  throw await failure(cli, ended, ref);
}

interface Telling {
  readonly ref: string;
  readonly progress: Progress;
}

async function untilEnded(cli: Cli, build: WorkspaceBuild, { ref, progress }: Telling): Promise<WorkspaceBuild> {
  const { client } = cli.session();
  const startedMs = Date.now();
  const path = { workspacebuild: build.id };
  let after = 0;
  for (;;) {
    // The state first: once it says that the job has ended, the log that is read next is whole.
    const now = await client.builds.get.query(path);
    const lines = await client.builds.logs.query({ ...path, after });
    for (const { stage, output, log_level } of lines) {
      if (stage !== '') progress.update(`${DOING[build.transition]} ${ref}: ${stage}`);
      if (output !== '' && log_level !== 'trace' && log_level !== 'debug') progress.above(`  ${plainLines(output).trimEnd()}`);
    }
    after = lines.at(-1)?.id ?? after;
    if (!isJobActive(now.job.status)) return now;
    const waitedMs = Date.now() - startedMs;
    if (now.job.status === 'pending' && waitedMs > WAITS_LONG_MS) progress.update((await client.builds.why.query(path)).sentence);
    if (waitedMs > GIVE_UP_MS) {
      throw new CliError(EXIT.unavailable, `The build of ${ref} has not ended in ${GIVE_UP_MS / 3_600_000} hours.`);
    }
    try {
      await delay(LOOK_MS, undefined, { signal: cli.signal });
    } catch (cause) {
      cli.io.stderr.write(`\nThe build goes on. See: berth logs ${ref} --follow\n`);
      throw new CliError(EXIT.interrupted, 'Interrupted.', { cause });
    }
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
