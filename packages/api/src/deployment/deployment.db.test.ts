import { Secret } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, test } from 'vitest';
import type { DeploymentSetting } from './setting.ts';
import { createTestApi } from '../testing/index.ts';

const setting = (env: string, value: DeploymentSetting['value'], rest: Partial<DeploymentSetting> = {}): DeploymentSetting => ({
  env,
  name: env,
  group: 'Network',
  description: 'What it is.',
  default: '',
  isSecret: false,
  yaml: '',
  source: 'env',
  value,
  ...rest,
});

const { prisma, callAsUser } = await createTestApi({
  accessUrl: 'https://berth.example.com',
  scimToken: new Secret('a-scim-token-of-this-test'),
  options: [
    setting('BERTH_HTTP_ADDRESS', '127.0.0.1:3000'),
    setting('BERTH_RATE_LIMIT', 120),
    setting('BERTH_METRICS_ADDRESS', '', { source: 'default' }),
    setting('BERTH_SCIM_TOKEN', '', { isSecret: true }),
    setting('BERTH_SMTP_URL', '', { isSecret: true, source: 'default' }),
  ],
});
const make = given(prisma);

describe('the settings of the deployment', () => {
  test('are read by owners and auditors, each with where it comes from, and no secret among them', async () => {
    for (const role of ['owner', 'auditor'] as const) {
      const reader = await make.user({ siteRoles: [role] });
      const { config, options } = await callAsUser(reader.id).deployment.config({});
      expect(options.map(({ env, value, value_source }) => [env, value, value_source])).toEqual([
        ['BERTH_HTTP_ADDRESS', '127.0.0.1:3000', 'env'],
        ['BERTH_RATE_LIMIT', 120, 'env'],
        ['BERTH_METRICS_ADDRESS', '', 'default'],
        ['BERTH_SCIM_TOKEN', null, 'env'],
        ['BERTH_SMTP_URL', '', 'default'],
      ]);
      expect(config).toMatchObject({
        access_url: { scheme: 'https', host: 'berth.example.com' },
        address: { host: '127.0.0.1', port: '3000' },
        rate_limit: { api: 120 },
        secure_auth_cookie: true,
        prometheus: { enable: false },
        telemetry: { enable: false },
        scim_api_key: '',
        tls: { enable: false, cert_file: [] },
      });
      expect(JSON.stringify({ config, options })).not.toContain('a-scim-token');
    }
  });

  test('are nothing for a member', async () => {
    const member = await make.user({});
    await expect(callAsUser(member.id).deployment.config({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
