import { z } from 'zod';

/** A kind of news between processes: its name for LISTEN/NOTIFY and the shape of what it carries. Ids only, never content or secrets. */
function channel<T extends z.ZodType>(name: string, payload: T): { readonly name: string; readonly payload: T } {
  return { name, payload };
}

const id = () => z.string();

/** What a user may do, or their keys, changed: whatever a process keeps of them is stale. */
export const authChannel = channel('auth', z.object({ user_id: id() }));

/** Something about a workspace changed: `kind` says what. */
export const workspaceChannel = channel('workspace', z.object({ workspace_id: id(), owner_id: id(), kind: z.string() }));

/** Who else has access to a workspace changed: a share was made, taken back, or its time is over. */
export const workspaceSharesChannel = channel('workspace_shares', z.object({ workspace_id: id() }));

/** A template was deleted, or who was given access to it changed. */
export const templateChannel = channel('template', z.object({ template_id: id() }));

/** A job of this organization waits for a daemon. */
export const jobsChannel = channel('jobs', z.object({ organization_id: id() }));

/** A job has new log lines, or changed its state. */
export const jobLogsChannel = channel('job_logs', z.object({ job_id: id() }));

/** An agent's tunnel was opened at a replica, or closed (null). */
export const agentConnectionsChannel = channel('agent_connections', z.object({ agent_id: id(), replica_id: id().nullable() }));

/** An agent has new log lines. */
export const agentLogsChannel = channel('agent_logs', z.object({ agent_id: id() }));

/** An agent has new metadata values. */
export const agentMetadataChannel = channel('agent_metadata', z.object({ agent_id: id() }));

/** Audit rows were written. Sent by the database itself, by a trigger on the table. */
export const auditChannel = channel('audit', z.object({}));

/** A user's link to an external service was made, refreshed or removed. */
export const externalAuthChannel = channel('external_auth', z.object({ user_id: id(), provider_id: id() }));

/** How the deployment presents itself changed: its name, its logo, its banners. */
export const appearanceChannel = channel('appearance', z.object({}));
