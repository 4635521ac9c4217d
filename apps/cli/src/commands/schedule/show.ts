import type { ScheduledEvent, Workspace, WorkspaceSchedule } from '@berth/api/contract/workspaces';
import type { Cli } from '../../frame/cli.ts';
import { defineCommand, required } from '../../frame/declare.ts';
import { durationText, localTime, relativeTime } from '../../frame/times.ts';
import { findWorkspace, refOf, WORKSPACE_FORM } from '../../frame/workspace-ref.ts';
import { statusText } from '../../workspaces/columns.ts';

export const showSchedule = defineCommand({
  name: 'show',
  summary: 'Show when a workspace starts, stops, becomes dormant or is deleted automatically',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }) },
  options: {},
  examples: ['berth schedule show dev', 'berth schedule show dev -o json'],
  prints: true,
  async run(cli, { args }) {
    await printSchedule(cli, await findWorkspace(cli.session(), args.workspace));
  },
});

/** Every command of the schedule ends by showing the current one. */
export async function printSchedule(cli: Cli, workspace: Workspace): Promise<void> {
  const { client } = cli.session();
  const path = { workspace: workspace.id };
  const [now, schedule] = await Promise.all([client.workspaces.get.query(path), client.workspaces.schedule.query(path)]);
  await cli.out.record({ autostart_schedule: now.autostart_schedule, ttl_ms: now.ttl_ms, ...schedule }, [
    ['Workspace', refOf(now)],
    ['Status', statusText(now)],
    ['Autostart', now.autostart_schedule ?? 'none'],
    ['Autostop', now.ttl_ms === null ? 'none' : `${durationText(now.ttl_ms)} after each start`],
    ...(isRunning(now) ? [['Stops', stopOf(schedule)] as const] : []),
    ['Upcoming', schedule.events.map(eventText).join('\n') || 'nothing'],
    ...(schedule.problem === '' ? [] : [['Problem', schedule.problem] as const]),
  ]);
  const remark = remarkOf(now, schedule);
  if (remark !== '') cli.out.note(remark);
}

function isRunning({ latest_build: { transition, job } }: Workspace): boolean {
  return transition === 'start' && job.status === 'succeeded';
}

function stopOf({ deadline }: WorkspaceSchedule): string {
  return deadline === null ? 'not automatically' : whenText(deadline);
}

function eventText({ kind, time, rule }: ScheduledEvent): string {
  return `${EVENTS[kind]} ${whenText(time)}: ${RULES[rule]}`;
}

function whenText(time: string): string {
  return `${relativeTime(time)} (${localTime(time)})`;
}

/** What the settings promise, but does not happen to the workspace while it runs. */
function remarkOf(workspace: Workspace, { deadline }: WorkspaceSchedule): string {
  if (!isRunning(workspace) || deadline !== null) return '';
  const ref = refOf(workspace);
  if (workspace.ttl_ms !== null) {
    return `${ref} was started without autostop and keeps running. Autostop takes effect at the next start, such as by: berth restart ${ref}`;
  }
  return workspace.autostart_schedule === null
    ? ''
    : `${ref} does not stop automatically, so autostart applies only after someone stops it.`;
}

const EVENTS: Readonly<Record<ScheduledEvent['kind'], string>> = {
  autostart: 'starts',
  autostop: 'stops',
  must_stop: 'stops at the latest',
  failure_stop: 'stops',
  dormant: 'becomes dormant',
  delete: 'is deleted',
};

const RULES: Readonly<Record<ScheduledEvent['rule'], string>> = {
  ttl: 'autostop of the workspace',
  template_ttl: 'autostop of the template',
  autostop_requirement: 'required by the template',
  autostart: 'its autostart schedule',
  extended: 'extended by a user',
  activity: 'extended by activity',
  owner_suspended: 'its owner is suspended',
  dormant: 'it is dormant',
  failure_ttl: 'its last start failed',
  time_til_dormant: 'not used for as long as the template allows',
  time_til_dormant_autodelete: 'dormant for as long as the template allows',
};
