import { defineCommand, required } from '../../frame/declare.ts';
import { conflictError } from '../../frame/errors.ts';
import { findWorkspace, refOf, WORKSPACE_FORM } from '../../frame/workspace-ref.ts';
import { printSchedule } from './show.ts';
import { timeFrom } from './stop.ts';

export const extendSchedule = defineCommand({
  name: 'extend',
  summary: 'Postpone the autostop of a running workspace',
  description: 'Moves the time at which a running workspace stops. The template may set a limit.',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }), by: required('A time such as 2h or 45m') },
  options: {},
  fields: { deadline: '<by>' },
  examples: ['berth schedule extend dev 2h'],
  prints: true,
  async run(cli, { args }) {
    const byMs = timeFrom(args.by);
    const workspace = await findWorkspace(cli.session(), args.workspace);
    const { deadline, status } = workspace.latest_build;
    if (deadline === null) {
      throw conflictError(
        `${refOf(workspace)} ${status === 'running' ? 'does not stop automatically' : `is ${status}`}, so there is nothing to extend.`,
      );
    }
    const later = new Date(Date.parse(deadline) + byMs).toISOString();
    await cli.session().client.workspaces.extend.mutate({ workspace: workspace.id, deadline: later });
    await printSchedule(cli, workspace);
  },
});
