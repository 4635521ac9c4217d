import type { Workspace } from '@berth/api/contract/workspaces';
import type { Cli } from '../frame/cli.ts';
import { refOf } from '../frame/workspace-ref.ts';

/** A dormant workspace must be woken up before it can start. */
export async function wake(cli: Cli, workspace: Workspace): Promise<void> {
  if (workspace.dormant_at === null) return;
  await cli.session().client.workspaces.updateDormancy.mutate({ workspace: workspace.id, dormant: false });
  cli.out.note(`${refOf(workspace)} was dormant and is active again.`);
}
