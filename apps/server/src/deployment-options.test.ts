import { ExternalAuthSettings, SignOnSettings } from '@berth/api/server';
import { describe, expect, it } from 'vitest';
import type { ConfigFile } from './config-file.ts';
import { deploymentOptions } from './deployment-options.ts';
import { SETTINGS } from './settings-table.ts';

const FILE: ConfigFile = { sign_on: SignOnSettings.parse({}), external_auth: ExternalAuthSettings.parse([]) };
const by = (env: NodeJS.ProcessEnv, file = FILE) => {
  const options = deploymentOptions(env, file);
  return (name: string) => options.find((option) => option.env === name || option.yaml === name);
};

describe('what administrators read of the settings', () => {
  it('has the value in force, and whether the environment, the file or the server chose it', () => {
    const sign_on = SignOnSettings.parse({
      password_enabled: false,
      providers: [{ type: 'oidc', id: 'staff', issuer_url: 'https://id.example.com', client_id: 'berth' }],
    });
    const option = by({ BERTH_RATE_LIMIT: '120', BERTH_TRUSTED_PROXIES: '10.0.0.1, 10.0.0.2', BERTH_LOG_LEVEL: '' }, { ...FILE, sign_on });
    expect(option('BERTH_RATE_LIMIT')).toMatchObject({ value: 120, source: 'env', default: '0' });
    expect(option('BERTH_TRUSTED_PROXIES')).toMatchObject({ value: ['10.0.0.1', '10.0.0.2'], source: 'env' });
    expect(option('BERTH_LOG_LEVEL')).toMatchObject({ value: 'info', source: 'default' });
    expect(option('BERTH_PASSWORD_SIGN_IN')).toMatchObject({ value: false, source: 'yaml' });
    expect(option('sign_on.providers')).toMatchObject({ value: ['staff'], source: 'yaml' });
    expect(option('BERTH_DATA_DIR')).toMatchObject({ value: '', default: '$XDG_DATA_HOME/berth, or ~/.local/share/berth' });
  });

  it('holds nothing of any secret, only that it is set', () => {
    const secrets = SETTINGS.filter(({ isSecret }) => isSecret === true);
    expect(secrets.map(({ env }) => env)).toEqual(
      expect.arrayContaining([
        'BERTH_DATABASE_URL',
        'BERTH_SEALING_KEYS',
        'BERTH_SCIM_TOKEN',
        'BERTH_SMTP_URL',
        'BERTH_OIDC_CLIENT_SECRET',
      ]),
    );
    const env = Object.fromEntries(secrets.map(({ env: name }) => [name, `hidden-value-of-${name}`]));
    const options = deploymentOptions(env, FILE);
    expect(JSON.stringify(options)).not.toContain('hidden-value');
    for (const { env: name } of secrets) expect(by(env)(name), name).toMatchObject({ source: 'env', value: '', isSecret: true });
  });
});
