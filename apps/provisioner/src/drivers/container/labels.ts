/* What the engine knows of whom its things belong to. Everything of a workspace is found by its labels, never by a list that could be lost. */

export interface WorkspaceNames {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
}

const WORKSPACE = 'berth.workspace_id';
const RESOURCE = 'berth.resource';
const VOLUME = 'berth.volume';
const PERSISTENT = 'berth.persistent';

/** To look for all that a workspace has. */
export function ofWorkspace(id: string): Record<string, string> {
  return { [WORKSPACE]: id.toLowerCase() };
}

function shared({ id, name, owner }: WorkspaceNames): Record<string, string> {
  return { ...ofWorkspace(id), 'berth.workspace': name, 'berth.owner': owner };
}

export function containerLabels(workspace: WorkspaceNames, resource: string): Record<string, string> {
  return { ...shared(workspace), [RESOURCE]: resource };
}

export function volumeLabels(workspace: WorkspaceNames, volume: string, persistent: boolean): Record<string, string> {
  return { ...shared(workspace), [VOLUME]: volume, [PERSISTENT]: String(persistent) };
}

export function networkLabels(workspace: WorkspaceNames): Record<string, string> {
  return shared(workspace);
}

/** Whether a volume with these labels stays when its workspace stops. A label that is missing keeps it, which loses nothing. */
export function isKept(labels: Readonly<Record<string, string>> | null | undefined): boolean {
  return labels?.[PERSISTENT] !== 'false';
}

/** The resource that a container is, for people. */
export function resourceOf(labels: Readonly<Record<string, string>> | null | undefined): string {
  return labels?.[RESOURCE] ?? 'container';
}

/** Names on the engine. They begin with the workspace's whole id, so none is ever another workspace's. */
export const containerName = (workspaceId: string, resource: string) => `berth-${workspaceId.toLowerCase()}-${resource}`;
export const volumeName = (workspaceId: string, volume: string) => `berth-${workspaceId.toLowerCase()}-${volume}`;
export const networkName = (workspaceId: string) => `berth-${workspaceId.toLowerCase()}`;
