import { newId } from '@berth/core';
import type { BuildJob, ImportJob } from '@berth/protocol';

/** Jobs as the server would hand them out; name only what the test is about. */
export function buildJob(overrides: Partial<BuildJob> = {}): BuildJob {
  return {
    id: newId(),
    lease_token: newId(),
    lease_seconds: 30,
    attempt: 1,
    file_id: newId(),
    log_level: '',
    kind: 'workspace_build',
    build_id: newId(),
    build_number: 1,
    transition: 'start',
    workspace: { id: newId(), name: 'dev', owner: { id: newId(), username: 'alice', email: 'alice@example.com', name: 'Alice' } },
    organization: { id: newId(), name: 'default' },
    template: { id: newId(), name: 'shell', version_id: newId(), version_name: 'v1' },
    rich_parameter_values: [],
    variable_values: [],
    state: '',
    access_url: 'http://127.0.0.1:3000',
    prebuilt: false,
    ...overrides,
  };
}

export function importJob(overrides: Partial<ImportJob> = {}): ImportJob {
  return {
    id: newId(),
    lease_token: newId(),
    lease_seconds: 30,
    attempt: 1,
    file_id: newId(),
    log_level: '',
    kind: 'template_version_import',
    template_version_id: newId(),
    user_variable_values: [],
    ...overrides,
  };
}
