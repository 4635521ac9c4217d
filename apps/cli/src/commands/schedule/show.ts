import type { Workspace } from '@berth/api/contract/workspaces';
import type { Cli } from '../../frame/cli.ts';
import { defineCommand, required } from '../../frame/declare.ts';
import { durationText, localTime, relativeTime } from '../../frame/times.ts';
import { findWorkspace, refOf, WORKSPACE_FORM } from '../../frame/workspace-ref.ts';

export const showSchedule = defineCommand({
  name: 'show',
  summary: 'Show when a workspace will start, stop, sleep or be deleted by itself',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }) },
  options: {},
  examples: ['berth schedule show dev', 'berth schedule show dev -o json'],
  prints: true,
  async run(cli, { args }) {
    await printSchedule(cli, await findWorkspace(cli.session(), args.workspace));
  },
});

/** Every command of the schedule ends by showing what holds now. */
export async function printSchedule(cli: Cli, workspace: Workspace): Promise<void> {
  const { client } = cli.session();
  const path = { workspace: workspace.id };
  const [now, schedule] = await Promise.all([client.workspaces.get.query(path), client.workspaces.schedule.query(path)]);
  const events = schedule.events.map(
    ({ kind, time, rule }) => `${kind} ${relativeTime(time)} (${localTime(time)}), by ${rule.replaceAll('_', ' ')}`,
  );
  await cli.out.record({ autostart_schedule: now.autostart_schedule, ttl_ms: now.ttl_ms, ...schedule }, [
    ['Workspace', refOf(now)],
    ['Autostart', now.autostart_schedule ?? 'none'],
    ['Stops after', now.ttl_ms === null ? 'not by itself' : durationText(now.ttl_ms)],
    ['To come', events.join('\n') || 'nothing'],
    ...(schedule.problem === '' ? [] : [['Problem', schedule.problem] as const]),
  ]);
}
