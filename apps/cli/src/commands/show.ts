import type { WorkspaceResource } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import type { Cli } from '../frame/cli.ts';
import { defineCommand, required } from '../frame/declare.ts';
import { localTime, relativeTime } from '../frame/times.ts';
import { findWorkspace, refOf, WORKSPACE_FORM } from '../frame/workspace-ref.ts';
import { statusText } from '../workspaces/columns.ts';

export const show = defineCommand({
  name: 'show',
  summary: 'Show a workspace: its state, agents, apps and resources',
  args: { workspace: required(WORKSPACE_FORM, { complete: 'workspace' }) },
  options: {},
  examples: ['berth show dev', 'berth show ada/dev -o json'],
  prints: true,
  async run(cli, { args }) {
    const workspace = await findWorkspace(cli.session(), args.workspace);
    const build = workspace.latest_build;
    await cli.out.record(workspace, [
      ['Workspace', refOf(workspace)],
      ['Status', statusText(workspace)],
      ...(await whyField(cli, workspace)),
      ['Template', workspace.template_name],
      ['Version', `${build.template_version_name}${workspace.outdated ? ' (outdated; see berth update)' : ''}`],
      ['Organization', workspace.organization_name],
      ['Last build', `${build.build_number}, ${build.transition} by ${build.initiator_name}, ${relativeTime(build.created_at)}`],
      ['Last used', relativeTime(workspace.last_used_at)],
      ['Stops', build.deadline === null ? 'not automatically' : `${relativeTime(build.deadline)} (${localTime(build.deadline)})`],
      ['Autostart', workspace.autostart_schedule ?? 'none'],
      ...(workspace.deleting_at === null ? [] : [['Deleted', relativeTime(workspace.deleting_at)] as const]),
      [
        'Resources',
        build.resources
          .filter(({ hide }) => !hide)
          .map(resourceText)
          .join('\n') || 'none',
      ],
    ]);
  },
});

/** Why the latest build waits or failed, in the server's words. */
async function whyField(cli: Cli, { latest_build: build }: Workspace): Promise<readonly (readonly [string, string])[]> {
  if (build.job.status !== 'pending' && build.job.status !== 'failed') return [];
  const { sentence } = await cli.session().client.builds.why.query({ workspacebuild: build.id });
  return sentence === '' ? [] : [['Why', sentence]];
}

function resourceText({ type, name, agents, metadata }: WorkspaceResource): string {
  const lines = [`${type}.${name}`];
  for (const { key, value, sensitive } of metadata) lines.push(`  ${key}: ${sensitive ? '(hidden)' : value}`);
  for (const agent of agents) {
    lines.push(`  agent ${agent.name}: ${agent.status}${agent.health.reason === '' ? '' : ` (${agent.health.reason})`}`);
    for (const app of agent.apps.filter(({ hidden }) => !hidden)) {
      lines.push(`    app ${app.slug}: ${app.health === 'disabled' ? 'not checked' : app.health}`);
    }
  }
  return lines.join('\n');
}
