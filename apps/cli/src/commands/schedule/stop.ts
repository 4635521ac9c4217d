import { defineCommand, durationMs, required } from '../../frame/declare.ts';
import { usageError } from '../../frame/errors.ts';
import { relativeTime } from '../../frame/times.ts';
import { findWorkspace, refOf, WORKSPACE_FORM } from '../../frame/workspace-ref.ts';
import { printSchedule } from './show.ts';

export const setAutostop = defineCommand({
  name: 'stop',
  summary: 'Set how long after a start a workspace stops automatically, or `off`',
  description:
    'Sets how long after a start a workspace stops automatically. It takes effect at the next start: a running workspace keeps the deadline that it has, which `berth schedule extend` moves.',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }), after: required('A time such as 8h or 1h30m, or `off`') },
  options: {},
  fields: { ttl_ms: '<after>' },
  examples: ['berth schedule stop dev 8h', 'berth schedule stop dev off'],
  prints: true,
  async run(cli, { args }) {
    const ttlMs = args.after === 'off' ? null : timeFrom(args.after);
    const workspace = await findWorkspace(cli.session(), args.workspace);
    await cli.session().client.workspaces.updateTtl.mutate({ workspace: workspace.id, ttl_ms: ttlMs });
    await printSchedule(cli, workspace);
    const { deadline, transition } = workspace.latest_build;
    if (transition === 'start' && deadline !== null) {
      cli.out.note(
        `${refOf(workspace)} keeps its current deadline, ${relativeTime(deadline)}; the new setting takes effect at the next start. To move the deadline: berth schedule extend ${args.workspace} <time>`,
      );
    }
  },
});

/** A time that stands as an argument of its own. */
export function timeFrom(given: string): number {
  try {
    return durationMs(given);
  } catch (cause) {
    throw usageError(`"${given}" ${cause instanceof Error ? cause.message : 'cannot be read.'}`, { cause });
  }
}
