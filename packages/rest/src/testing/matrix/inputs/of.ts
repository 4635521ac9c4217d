import { newId } from '@berth/core';
import type { Fixture } from '../fixture.ts';

export const PASSWORD = 'correct horse battery staple';

/** Ids that name nothing: the principal's right to ask is what counts. */
export const nothing = (): string => newId();

export type InputOf = (fixture: Fixture) => Record<string, unknown> | Promise<Record<string, unknown>>;

export const noInput: InputOf = () => ({});
export const ofOrganization: InputOf = ({ organization }) => ({ organization: organization.id });
export const ofTemplate: InputOf = ({ template }) => ({ template: template.id });
export const ofVersion: InputOf = ({ version }) => ({ templateversion: version.id });
/** A dry run that waits, and is the holder's. */
export const ofDryRun: InputOf = async ({ holderCaller, version }) => ({
  templateversion: version.id,
  jobID: (await holderCaller.templateVersions.createDryRun({ templateversion: version.id })).id,
});
export const ofWorkspace: InputOf = ({ workspace }) => ({ workspace: workspace.id });
/** A running workspace of the holder with a deadline, for calls that change what others ask about. */
export const anotherWorkspace = async ({ organization, holder, template, version, rows }: Fixture): Promise<string> => {
  const { workspace } = await rows.workspace({ organization, owner: holder, template });
  const deadline = new Date(Date.now() + 3_600_000);
  await rows.build({ workspace, templateVersionId: version.id, deadline, deadlineRule: 'ttl' });
  return workspace.id;
};
export const ofPort = ({ workspace, agent }: Fixture) => ({
  workspace: workspace.id,
  agent_name: agent.name,
  port: 8080,
  share_level: 'public' as const,
  protocol: 'http' as const,
});
export const ofBuild: InputOf = ({ build }) => ({ workspacebuild: build.id });
export const ofAgent: InputOf = ({ agent }) => ({ workspaceagent: agent.id });
export const READS_USERS = { negate: false, resource_type: 'user', action: 'read' };
export const ofFreshMember: InputOf = async ({ organization, rows }) => ({
  organization: organization.id,
  user: (await rows.user({ memberOf: [organization.id] })).id,
});
export const ofHolder: InputOf = ({ holder }) => ({ user: holder.id });
/** Somebody new in the organization, for calls that change or remove an account. */
export const ofSomebody: InputOf = async ({ organization, rows }) => ({ user: (await rows.user({ memberOf: [organization.id] })).id });
export const ofApp: InputOf = ({ app }) => ({ app: app.id });
export const ofAuthorization = ({ app }: Fixture): Record<string, unknown> => ({ client_id: app.id, response_type: 'code', state: 'x' });
export const ofDevice = async ({ caller, publicApp }: Fixture): Promise<Record<string, unknown>> => {
  const begun = await caller.oauth2.beginDevice({ client_id: publicApp.id });
  return { user_code: begun.status === 200 ? begun.body.user_code : '' };
};
export const ofJob = (): Record<string, unknown> => ({ job_id: nothing(), lease_token: nothing() });
