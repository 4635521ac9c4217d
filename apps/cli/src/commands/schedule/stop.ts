import { defineCommand, durationMs, required } from '../../frame/declare.ts';
import { usageError } from '../../frame/errors.ts';
import { findWorkspace, WORKSPACE_FORM } from '../../frame/workspace-ref.ts';
import { printSchedule } from './show.ts';

export const setAutostop = defineCommand({
  name: 'stop',
  summary: 'Set how long after a start a workspace stops by itself, or `off`',
  description: 'Sets how long after a start a workspace stops by itself. A workspace that runs keeps the time that it has; see extend.',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }), after: required('A time such as 8h or 1h30m, or `off`') },
  options: {},
  examples: ['berth schedule stop dev 8h', 'berth schedule stop dev off'],
  prints: true,
  async run(cli, { args }) {
    const ttlMs = args.after === 'off' ? null : timeFrom(args.after);
    const workspace = await findWorkspace(cli.session(), args.workspace);
    await cli.session().client.workspaces.updateTtl.mutate({ workspace: workspace.id, ttl_ms: ttlMs });
    await printSchedule(cli, workspace);
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
