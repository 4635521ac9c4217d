import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildJob } from '../../testing/jobs.ts';
import { buildEnvironment, commonEnvironment, terraformEnvironment } from './environment.ts';

describe('the environment of Terraform', () => {
  it('has what the daemon has, without what is the daemon’s own or would change how Terraform talks', () => {
    const own = [
      'BERTH_PROVISIONER_KEY',
      'BERTH_URL',
      'CODER_URL',
      'npm_config_token',
      'NODE_OPTIONS',
      'NODE_CHANNEL_FD',
      'PGPASSWORD',
      'DATABASE_URL',
    ];
    const talk = ['TF_LOG', 'TF_LOG_PATH', 'TF_CLI_ARGS', 'TF_CLI_ARGS_plan', 'TF_WORKSPACE', 'TF_DATA_DIR', 'TF_INPUT'];
    const kept = ['PATH', 'HOME', 'AWS_SECRET_ACCESS_KEY', 'TF_CLI_CONFIG_FILE', 'TF_VAR_zone', 'HTTPS_PROXY'];
    const all = Object.fromEntries([...own, ...talk, ...kept].map((name) => [name, 'x']));
    expect(Object.keys(terraformEnvironment(all)).toSorted()).toEqual([...kept, 'CHECKPOINT_DISABLE', 'TF_IN_AUTOMATION'].toSorted());
  });

  it('tells the provider of the build by its own names', () => {
    const job = buildJob({
      transition: 'delete',
      rich_parameter_values: [{ name: 'Größe', value: '3' }],
      external_auth: [{ id: 'github', access_token: 'T' }],
    });
    const hash = createHash('sha256').update('Größe').digest('hex');
    expect(buildEnvironment(job)).toMatchObject({
      CODER_AGENT_URL: 'http://127.0.0.1:3000',
      CODER_WORKSPACE_TRANSITION: 'destroy',
      CODER_WORKSPACE_NAME: 'dev',
      CODER_WORKSPACE_OWNER: 'alice',
      CODER_WORKSPACE_OWNER_GROUPS: '[]',
      CODER_WORKSPACE_BUILD_ID: job.build_id,
      [`CODER_PARAMETER_${hash}`]: '3',
      CODER_EXTERNAL_AUTH_ACCESS_TOKEN_github: 'T',
      CODER_GIT_AUTH_ACCESS_TOKEN_github: 'T',
    });
  });

  it('has a name for the template also where a version has none yet', () => {
    const { template } = buildJob();
    expect(buildEnvironment(buildJob({ template: { ...template, name: '' } })).CODER_WORKSPACE_TEMPLATE_NAME).toBe('template');
  });

  it('has an agent’s script for every system that a template may name', () => {
    const environment = commonEnvironment({ accessUrl: 'https://berth.example.com', transition: 'start', parameters: [] });
    const systems = Object.keys(environment).flatMap((name) => /^CODER_AGENT_SCRIPT_(.*)$/.exec(name)?.[1] ?? []);
    expect(systems.toSorted()).toEqual([
      'darwin_amd64',
      'darwin_arm64',
      'linux_amd64',
      'linux_arm64',
      'linux_armv7',
      'windows_amd64',
      'windows_arm64',
    ]);
    expect(environment['CODER_AGENT_SCRIPT_linux_arm64']).toContain('arch="arm64"');
    // The provider fills this in.
    expect(environment['CODER_AGENT_SCRIPT_linux_arm64']).toContain('${ACCESS_URL}');
    expect(environment['CODER_AGENT_SCRIPT_windows_amd64']).toContain('runs on Linux only');
  });
});
