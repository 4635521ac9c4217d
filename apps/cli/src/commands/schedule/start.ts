import { defineCommand, required, rest } from '../../frame/declare.ts';
import { findWorkspace, WORKSPACE_FORM } from '../../frame/workspace-ref.ts';
import { autostartFrom } from './autostart-from.ts';
import { printSchedule } from './show.ts';

export const setAutostart = defineCommand({
  name: 'start',
  summary: 'Set when a workspace starts automatically, or `off`',
  description:
    'Sets when a workspace starts automatically: a time, then optionally days and a time zone. Without days it starts every day; without a zone the time zone is that of this machine. A cron schedule in quotes works, too.',
  args: {
    workspace: required(WORKSPACE_FORM, { complete: 'workspace' }),
    when: rest('Such as `9:30 mon-fri Europe/Lisbon`, `"CRON_TZ=UTC 30 9 * * 1-5"`, or `off`'),
  },
  options: {},
  fields: { schedule: '<when>' },
  examples: [
    'berth schedule start dev 9:30',
    'berth schedule start dev 8:00 mon-fri Europe/Lisbon',
    'berth schedule start dev "CRON_TZ=UTC 30 9 * * 1-5"',
    'berth schedule start dev off',
  ],
  prints: true,
  async run(cli, { args }) {
    const schedule = autostartFrom(args.when, Intl.DateTimeFormat().resolvedOptions().timeZone);
    const workspace = await findWorkspace(cli.session(), args.workspace);
    await cli.session().client.workspaces.updateAutostart.mutate({ workspace: workspace.id, schedule });
    await printSchedule(cli, workspace);
  },
});
