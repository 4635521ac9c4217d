import type { Workspace } from '@berth/api/contract/workspaces';
import type { Column } from '../frame/output.ts';
import { localTime, relativeTime } from '../frame/times.ts';
import { refOf } from '../frame/workspace-ref.ts';

export const WORKSPACE_COLUMNS: readonly Column<Workspace>[] = [
  { id: 'workspace', title: 'Workspace', value: (row) => `${refOf(row)}${row.favorite ? ' ★' : ''}` },
  {
    id: 'template',
    title: 'Template',
    importance: 3,
    value: (row) => (row.template_display_name === '' ? row.template_name : row.template_display_name),
  },
  { id: 'status', title: 'Status', importance: 6, value: statusText },
  { id: 'health', title: 'Health', importance: 5, value: healthText },
  {
    id: 'version',
    title: 'Version',
    importance: 1,
    value: (row) => `${row.latest_build.template_version_name}${row.outdated ? ' (outdated)' : ''}`,
  },
  { id: 'last-used', title: 'Last used', importance: 2, value: (row) => relativeTime(row.last_used_at) },
  {
    id: 'stops',
    title: 'Stops',
    importance: 4,
    value: (row) => (row.latest_build.deadline === null ? '' : relativeTime(row.latest_build.deadline)),
  },
  { id: 'organization', title: 'Organization', value: (row) => row.organization_name, isExtra: true },
  { id: 'created', title: 'Created', value: (row) => localTime(row.created_at), isExtra: true },
  { id: 'autostart', title: 'Autostart', value: (row) => row.autostart_schedule ?? '', isExtra: true },
  { id: 'id', title: 'Id', value: (row) => row.id, isExtra: true },
];

/** Empty for a workspace that does not run: without agents there is nothing to be healthy. */
function healthText({ health, latest_build }: Workspace): string {
  if (latest_build.status !== 'running') return '';
  return health.healthy ? 'healthy' : 'unhealthy';
}

export function statusText(workspace: Pick<Workspace, 'dormant_at' | 'latest_build'>): string {
  const { status } = workspace.latest_build;
  return workspace.dormant_at === null ? status : `${status}, dormant`;
}
