import { newId } from '@berth/core';
import type { BuildJob, DryRunJob, ImportJob } from '@berth/protocol';

const anyJob = () =>
  ({
    id: newId(),
    provisioner: 'process',
    lease_token: newId(),
    lease_seconds: 30,
    attempt: 1,
    file_id: newId(),
    log_level: '',
  }) as const;

const workspaceJob = () => ({
  workspace: {
    id: newId(),
    name: 'dev',
    owner: {
      id: newId(),
      username: 'alice',
      email: 'alice@example.com',
      name: 'Alice',
      groups: [],
      login_type: 'password',
      session_token: '',
      oidc_access_token: '',
      ssh_public_key: '',
      ssh_private_key: '',
    },
  },
  organization: { id: newId(), name: 'default' },
  template: { id: newId(), name: 'shell', version_id: newId(), version_name: 'v1' },
  rich_parameter_values: [],
  variable_values: [],
  external_auth: [],
  access_url: 'http://127.0.0.1:3000',
});

/** Jobs as the server would hand them out; name only what the test is about. */
export function buildJob(overrides: Partial<BuildJob> = {}): BuildJob {
  return {
    ...anyJob(),
    ...workspaceJob(),
    kind: 'workspace_build',
    build_id: newId(),
    build_number: 1,
    transition: 'start',
    state: '',
    prebuilt: false,
    ...overrides,
  };
}

export function importJob(overrides: Partial<ImportJob> = {}): ImportJob {
  return { ...anyJob(), kind: 'template_version_import', template_version_id: newId(), user_variable_values: [], ...overrides };
}

export function dryRunJob(overrides: Partial<DryRunJob> = {}): DryRunJob {
  return { ...anyJob(), ...workspaceJob(), kind: 'template_version_dry_run', ...overrides };
}
