import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import { agentsOf } from '../workspaces/situation.ts';

/** What `berth config-ssh` puts before the name of a workspace. */
const HOST_PREFIX = 'berth.';

type Placed = Pick<Workspace, 'name' | 'owner_name' | 'latest_build'>;

/** How the command line names an agent: without its own name where the workspace has no other one, and with the owner's where it is not `me`. */
export function sshTarget(workspace: Placed, { name }: Pick<WorkspaceAgent, 'name'>, me?: string): string {
  const owner = me === undefined || me === workspace.owner_name ? '' : `${workspace.owner_name}/`;
  return `${owner}${workspace.name}${agentsOf(workspace.latest_build).length > 1 ? `.${name}` : ''}`;
}

/** The same as a host of OpenSSH, which editors take. */
export function sshHost(workspace: Placed, agent: Pick<WorkspaceAgent, 'name'>, me?: string): string {
  return `${HOST_PREFIX}${sshTarget(workspace, agent, me).replace('/', '--')}`;
}

export interface EditorLink {
  readonly name: string;
  readonly url: string;
}

/** Addresses that open the folder of an agent in an editor on the reader's own computer, over the host of OpenSSH. */
export function editorLinks(
  host: string,
  { expanded_directory: folder, display_apps: shown }: Pick<WorkspaceAgent, 'expanded_directory' | 'display_apps'>,
): EditorLink[] {
  // A path from an agent is data: nothing of it may end the path.
  const path = folder.startsWith('/') ? folder.split('/').map(encodeURIComponent).join('/') : '/';
  const remote = (scheme: string): string => `${scheme}://vscode-remote/ssh-remote+${encodeURIComponent(host)}${path}`;
  const gateway = new URLSearchParams({ type: 'ssh', deploy: 'false', host, port: '22', projectPath: folder });
  return [
    ...(shown.includes('vscode') ? [{ name: 'VS Code', url: remote('vscode') }] : []),
    ...(shown.includes('vscode_insiders') ? [{ name: 'VS Code Insiders', url: remote('vscode-insiders') }] : []),
    { name: 'Cursor', url: remote('cursor') },
    { name: 'JetBrains Gateway', url: `jetbrains-gateway://connect#${gateway}` },
  ];
}
