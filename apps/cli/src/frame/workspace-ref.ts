import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import { errorOf } from '@berth/client';
import type { Session } from './connect.ts';
import type { CliError } from './errors.ts';
import { conflictError, notFoundError, usageError } from './errors.ts';

/** How workspaces are written on the command line, for help texts. */
export const WORKSPACE_FORM = '[owner/]name';
export const AGENT_FORM = '[owner/]name[.agent]';

export interface WorkspaceRef {
  /** `me` unless one was given. */
  readonly owner: string;
  readonly name: string;
  readonly agent: string | null;
}

/** Reads `[owner/]name[.agent]`, or an id. */
export function parseWorkspaceRef(given: string): WorkspaceRef {
  const [, owner, name = '', agent] = /^(?:@?([^/.]+)\/)?([^/.]+)(?:\.([^/.]+))?$/.exec(given.trim()) ?? [];
  if (name === '') throw usageError(`"${given}" is not a workspace name.`, { next: `Write it as ${AGENT_FORM}` });
  return { owner: owner ?? 'me', name, agent: agent ?? null };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The workspace that `[owner/]name` (or an id) means; an agent's name after it is left to `chooseAgent`. */
export async function findWorkspace(session: Session, given: string): Promise<Workspace> {
  const { workspaces } = session.client;
  if (UUID.test(given)) return workspaces.get.query({ workspace: given });
  const { owner, name } = parseWorkspaceRef(given);
  try {
    return await workspaces.getByOwnerAndName.query({ user: owner, workspacename: name });
  } catch (cause) {
    if (errorOf(cause).kind !== 'not_found') throw cause;
    const whose = owner === 'me' ? 'You have' : `${owner} has`;
    throw notFoundError(`${whose} no workspace "${name}" that you may see.`, { cause, next: 'List them with: berth list' });
  }
}

/** The agents of the latest build. */
export function agentsOf(workspace: Workspace): readonly WorkspaceAgent[] {
  return workspace.latest_build.resources.flatMap(({ agents }) => agents);
}

/** The agent of this name, or the only one. */
export function chooseAgent(workspace: Workspace, name: string | null): WorkspaceAgent {
  const agents = agentsOf(workspace);
  const ref = refOf(workspace);
  const [first] = agents;
  if (first === undefined) throw withoutAgent(workspace);
  if (name !== null) {
    const found = agents.find((agent) => agent.name === name);
    if (found !== undefined) return found;
    throw notFoundError(`The workspace ${ref} has no agent "${name}".`, {
      next: `Agents: ${agents.map((agent) => agent.name).join(', ')}`,
    });
  }
  if (agents.length === 1) return first;
  throw usageError(`The workspace ${ref} has several agents.`, {
    next: `Use one of: ${agents.map((agent) => `${ref}.${agent.name}`).join(', ')}`,
  });
}

function withoutAgent(workspace: Workspace): CliError {
  const ref = refOf(workspace);
  const { status } = workspace.latest_build;
  if (status === 'running') return conflictError(`The workspace ${ref} has no agent.`);
  return conflictError(`The workspace ${ref} is ${status}.`, { next: `Start it with: berth start ${ref}` });
}

/** `owner/name`, as commands take it from anybody. */
export function refOf(workspace: Pick<Workspace, 'owner_name' | 'name'>): string {
  return `${workspace.owner_name}/${workspace.name}`;
}
