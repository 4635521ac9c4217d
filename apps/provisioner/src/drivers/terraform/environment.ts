import type { BuildJob } from '@berth/protocol';
import { AGENT_ARCHITECTURES, agentStartScript } from '@berth/protocol/agent-delivery';
import { createHash } from 'node:crypto';
import type { NamedValue } from '../../driver.ts';

/**
 * What is Berth's own, npm's and Node's, and what would make Terraform talk in another way or keep its things elsewhere. The rest passes:
 * clouds, proxies and registries are configured by the environment of the daemon.
 */
const KEPT_BACK =
  /^(?:BERTH_|CODER_|npm_|NODE_|INIT_CWD$|PG[A-Z]+$|DATABASE_URL$|TF_LOG|TF_CLI_ARGS|TF_WORKSPACE$|TF_DATA_DIR$|TF_INPUT$|TF_IN_AUTOMATION$)/i;

/** The environment of every Terraform process: the daemon's own without its secrets. */
export function terraformEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const passed = Object.entries(env).flatMap(([name, value]) => (value === undefined || KEPT_BACK.test(name) ? [] : [[name, value]]));
  return { ...Object.fromEntries(passed), TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' };
}

/** The words of the provider for what a build does. */
export type ProviderTransition = 'start' | 'stop' | 'destroy';

function providerTransition(transition: BuildJob['transition']): ProviderTransition {
  return transition === 'delete' ? 'destroy' : transition;
}

/** How the provider finds the value of a parameter. */
function parameterVariable(name: string): string {
  return `CODER_PARAMETER_${createHash('sha256').update(name).digest('hex')}`;
}

/** How a template's provider learns of a build. The values of parameters and of linked services are among them. */
export function buildEnvironment(job: BuildJob): Record<string, string> {
  const { workspace, template } = job;
  const { owner } = workspace;
  return {
    ...commonEnvironment({
      accessUrl: job.access_url,
      transition: providerTransition(job.transition),
      parameters: job.rich_parameter_values,
    }),
    CODER_WORKSPACE_ID: workspace.id,
    CODER_WORKSPACE_NAME: workspace.name,
    CODER_WORKSPACE_OWNER: owner.username,
    CODER_WORKSPACE_OWNER_ID: owner.id,
    CODER_WORKSPACE_OWNER_EMAIL: owner.email,
    CODER_WORKSPACE_OWNER_NAME: owner.name,
    CODER_WORKSPACE_OWNER_GROUPS: JSON.stringify(owner.groups),
    CODER_WORKSPACE_OWNER_LOGIN_TYPE: owner.login_type,
    CODER_WORKSPACE_OWNER_SESSION_TOKEN: owner.session_token,
    CODER_WORKSPACE_OWNER_OIDC_ACCESS_TOKEN: owner.oidc_access_token,
    CODER_WORKSPACE_OWNER_SSH_PUBLIC_KEY: owner.ssh_public_key,
    CODER_WORKSPACE_OWNER_SSH_PRIVATE_KEY: owner.ssh_private_key,
    CODER_WORKSPACE_TEMPLATE_ID: template.id,
    // A dry run may be of a version that has no template yet; the provider insists on a name.
    CODER_WORKSPACE_TEMPLATE_NAME: template.name === '' ? 'template' : template.name,
    CODER_WORKSPACE_TEMPLATE_VERSION: template.version_name,
    CODER_WORKSPACE_BUILD_ID: job.build_id,
    ...Object.fromEntries(
      job.external_auth.flatMap(({ id, access_token }) => [
        [`CODER_EXTERNAL_AUTH_ACCESS_TOKEN_${id}`, access_token],
        [`CODER_GIT_AUTH_ACCESS_TOKEN_${id}`, access_token],
      ]),
    ),
  };
}

/** What holds for an import, too, where there is no workspace yet and the provider makes one up. */
export function commonEnvironment(given: {
  accessUrl: string;
  transition: ProviderTransition;
  parameters: readonly NamedValue[];
}): Record<string, string> {
  return {
    CODER_AGENT_URL: given.accessUrl,
    CODER_WORKSPACE_TRANSITION: given.transition,
    ...agentScripts(),
    ...Object.fromEntries(given.parameters.map(({ name, value }) => [parameterVariable(name), value])),
  };
}

/**
 * The texts that the provider hands out as an agent's `init_script`, with its own address and way to sign in filled in. There is one for
 * every system that it may ask for; the agent itself runs on Linux.
 */
function agentScripts(): Record<string, string> {
  const linux = AGENT_ARCHITECTURES.map((architecture) => [`CODER_AGENT_SCRIPT_linux_${architecture}`, agentStartScript({ architecture })]);
  return {
    ...Object.fromEntries(linux),
    CODER_AGENT_SCRIPT_darwin_amd64: NO_AGENT_SH,
    CODER_AGENT_SCRIPT_darwin_arm64: NO_AGENT_SH,
    CODER_AGENT_SCRIPT_windows_amd64: NO_AGENT_PS,
    CODER_AGENT_SCRIPT_windows_arm64: NO_AGENT_PS,
  };
}

const NO_AGENT = 'The agent of this server runs on Linux only.';
const NO_AGENT_SH = `#!/bin/sh\necho "${NO_AGENT}" >&2\nexit 1\n`;
const NO_AGENT_PS = `Write-Error "${NO_AGENT}"\nexit 1\n`;

/** Everything in a job that must never be seen in a log. */
export function secretsOfBuild(job: BuildJob): string[] {
  const { owner } = job.workspace;
  return [owner.session_token, owner.oidc_access_token, owner.ssh_private_key, ...job.external_auth.map((link) => link.access_token)];
}
