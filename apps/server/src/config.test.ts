import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { newSealingKey } from '@berth/core/sealer';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, defaultRelayAddress, provisionerEnvironment, readConfig, wildcardHostOf } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (env: Record<string, string>): ReturnType<typeof readConfig> => readConfig({ BERTH_DATA_DIR: join(folder, 'data'), ...env });

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('without settings', () => {
  it('has the defaults: loopback, password sign-in, no provider, no mail, no SCIM', () => {
    const config = read({});
    expect(config).toMatchObject({ host: '127.0.0.1', port: 3000, scimToken: null, mail: null, externalAuth: [] });
    expect(config.signOn).toEqual({ password_enabled: true, terms_of_service_url: '', providers: [] });
  });

  it('makes one sealing key that only the server can read, and keeps it', () => {
    const keys = (): string[] => read({}).sealingKeys.map((key) => key.reveal());
    const first = keys();
    expect(first).toHaveLength(1);
    expect(keys()).toEqual(first);
    const path = join(folder, 'data', 'sealing-keys');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8').trim()).toBe(first[0]);
  });
});

describe('BERTH_SEALING_KEYS', () => {
  it('takes several keys, newest first', () => {
    const keys = [newSealingKey(), newSealingKey()];
    expect(read({ BERTH_SEALING_KEYS: keys.join(', ') }).sealingKeys.map((key) => key.reveal())).toEqual(keys);
  });

  it('refuses a key of another length, by name and without showing it', () => {
    expect(() => read({ BERTH_SEALING_KEYS: 'dG9vLXNob3J0' })).toThrow(/BERTH_SEALING_KEYS: .*32 bytes/);
    expect(() => read({ BERTH_SEALING_KEYS: 'dG9vLXNob3J0' })).not.toThrow(/dG9vLXNob3J0/);
  });
});

describe('BERTH_RELAY_ADDRESS', () => {
  it('is where the server listens, by the machine’s name where that is everywhere, unless told otherwise', () => {
    expect(read({}).relayAddress).toBeNull();
    expect(defaultRelayAddress('192.0.2.7', 3000, 'quay')).toBe('http://192.0.2.7:3000');
    expect(defaultRelayAddress('0.0.0.0', 3000, 'quay')).toBe('http://quay:3000');
    expect(defaultRelayAddress('::', 3000, 'quay')).toBe('http://quay:3000');
    expect(read({ BERTH_RELAY_ADDRESS: 'http://berth-1.internal:3000/' }).relayAddress).toBe('http://berth-1.internal:3000');
    expect(read({ BERTH_RELAY_ADDRESS: 'none' }).relayAddress).toBe('');
  });

  it.each(['berth-1:3000', 'ftp://berth-1', 'http://berth-1/path', 'http://berth-1?a=b', 'http://a:b@berth-1'])(
    'refuses %s by name',
    (text) => {
      expect(() => read({ BERTH_RELAY_ADDRESS: text })).toThrow(
        /BERTH_RELAY_ADDRESS must be an http or https address without a path, or none/,
      );
    },
  );
});

describe('BERTH_ALLOW_WORKSPACE_RENAMES', () => {
  it('is off unless told otherwise', () => {
    expect(read({}).allowWorkspaceRenames).toBe(false);
    expect(read({ BERTH_ALLOW_WORKSPACE_RENAMES: 'true' }).allowWorkspaceRenames).toBe(true);
  });
});

describe('BERTH_QUIET_HOURS_DEFAULT', () => {
  it('is midnight in UTC, and people may choose others, unless told otherwise', () => {
    expect(read({})).toMatchObject({ quietHoursDefault: 'CRON_TZ=UTC 0 0 * * *', allowCustomQuietHours: true });
    const settings = { BERTH_QUIET_HOURS_DEFAULT: 'CRON_TZ=Europe/Lisbon 30 22 * * *', BERTH_ALLOW_CUSTOM_QUIET_HOURS: 'false' };
    expect(read(settings)).toMatchObject({ quietHoursDefault: settings.BERTH_QUIET_HOURS_DEFAULT, allowCustomQuietHours: false });
  });

  it.each(['', '22:30', '0 0 * * 1-5', '0,30 22 * * *', '* 22 * * *', 'CRON_TZ=Local 0 0 * * *'])('refuses "%s" by name', (schedule) => {
    expect(() => read({ BERTH_QUIET_HOURS_DEFAULT: schedule })).toThrow(/BERTH_QUIET_HOURS_DEFAULT must be a daily schedule/);
  });
});

describe('BERTH_CONFIG_FILE', () => {
  it('brings several providers, with secrets from the environment that print themselves nowhere', () => {
    const path = file(
      'full.yaml',
      `
sign_on:
  password_enabled: false
  providers:
    - { type: oidc, id: staff, issuer_url: https://id.example.com, client_id: berth, client_secret: "\${STAFF_SECRET}" }
    - { type: codehost, authorize_url: https://git.example.com/a, token_url: https://git.example.com/t, api_url: https://git.example.com/api, client_id: x, client_secret: y }
external_auth:
  - { id: git, type: github, client_id: a, client_secret: b }
scim: { token: "a-long-enough-token" }
mail: { smtp_url: "smtp://localhost:2525", from: "Berth <berth@example.com>" }
`,
    );
    const config = read({ BERTH_CONFIG_FILE: path, STAFF_SECRET: 'from the environment' });
    expect(config.signOn.providers.map(({ id }) => id)).toEqual(['staff', 'codehost']);
    expect(config.signOn.providers[0]?.client_secret?.reveal()).toBe('from the environment');
    expect(config.signOn.providers[0]).toMatchObject({ username_claim: 'preferred_username' });
    expect(config.signOn.password_enabled).toBe(false);
    expect(config.externalAuth.map(({ id }) => id)).toEqual(['git']);
    expect(config.scimToken?.reveal()).toBe('a-long-enough-token');
    expect(config.mail?.smtp_url.reveal()).toBe('smtp://localhost:2525');
    for (const text of [inspect(config, { depth: null }), JSON.stringify(config)]) {
      for (const secret of ['from the environment', 'a-long-enough-token', ':2525', ...config.sealingKeys.map((key) => key.reveal())]) {
        expect(text).not.toContain(secret);
      }
    }
  });

  it.each([
    ['is not there', null, /cannot be read/],
    ['is no YAML', 'sign_on: [', /cannot be read/],
    ['has an unknown key', 'sing_on: {}', /sing_on/],
    ['names one provider id twice', oidcTwice(), /sign_on\.providers must have a different id for each provider/],
    [
      'breaks a rule deep inside',
      'sign_on: { providers: [{ type: oidc, client_id: x, issuer_url: nonsense }] }',
      /issuer_url must be an http/,
    ],
    [
      'leaves out an address that a service needs',
      'external_auth: [{ id: x, type: forge, client_id: c, token_url: "https://forge.example/token" }]',
      /external_auth\.0\.authorize_url must be given for a provider of type "forge"/,
    ],
    ['uses a variable that is not set', 'scim: { token: "${NOT_SET_ANYWHERE}" }', /\$\{NOT_SET_ANYWHERE\}, which is not set/],
  ])('that %s stops the start with a sentence that says so', (name, content, message) => {
    const path = content === null ? join(folder, 'missing.yaml') : file(`${name.replaceAll(' ', '-')}.yaml`, content);
    expect(() => read({ BERTH_CONFIG_FILE: path })).toThrow(ConfigError);
    expect(() => read({ BERTH_CONFIG_FILE: path })).toThrow(message);
  });
});

describe('the short way to one provider', () => {
  const oidc = { BERTH_OIDC_ISSUER_URL: 'https://id.example.com', BERTH_OIDC_CLIENT_ID: 'berth' };

  it('adds an OpenID Connect provider', () => {
    const [provider] = read({ ...oidc, BERTH_OIDC_CLIENT_SECRET: 's', BERTH_OIDC_DISPLAY_NAME: 'Example' }).signOn.providers;
    expect(provider).toMatchObject({ type: 'oidc', id: 'oidc', issuer_url: 'https://id.example.com', display_name: 'Example' });
  });

  it('names the setting that breaks a rule', () => {
    expect(() => read({ ...oidc, BERTH_OIDC_ISSUER_URL: 'nonsense' })).toThrow(/BERTH_OIDC_ISSUER_URL must be/);
    expect(() => read({ BERTH_OIDC_ISSUER_URL: oidc.BERTH_OIDC_ISSUER_URL })).toThrow(/BERTH_OIDC_CLIENT_ID/);
  });

  it('refuses a file that names a provider of the same id', () => {
    const path = file('same.yaml', 'sign_on: { providers: [{ type: oidc, client_id: x, issuer_url: "https://other.example.com" }] }');
    expect(() => read({ ...oidc, BERTH_CONFIG_FILE: path })).toThrow(/both name a provider "oidc"/);
  });
});

it('takes mail settings together or not at all', () => {
  expect(() => read({ BERTH_SMTP_URL: 'smtp://localhost' })).toThrow(/go together/);
  expect(() => read({ BERTH_SMTP_URL: 'https://localhost', BERTH_MAIL_FROM: 'a@b' })).toThrow(/BERTH_SMTP_URL must be an smtp/);
});

it('takes password sign-in as true or false, whatever the file says', () => {
  expect(read({ BERTH_PASSWORD_SIGN_IN: 'false' }).signOn.password_enabled).toBe(false);
  expect(() => read({ BERTH_PASSWORD_SIGN_IN: 'perhaps' })).toThrow(/BERTH_PASSWORD_SIGN_IN must be true or false/);
});

it('hands the settings of its tools to a provisioner, and none of its own secrets', () => {
  const own = {
    BERTH_DATABASE_URL: 'x',
    BERTH_SEALING_KEYS: 'x',
    BERTH_OIDC_CLIENT_SECRET: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    GITHUB_TOKEN: 'x',
  };
  const tools = {
    PATH: '/bin',
    TF_CLI_CONFIG_FILE: '/rc',
    https_proxy: 'http://proxy',
    BERTH_TERRAFORM_BINARY: 'tofu',
    BERTH_PROVISIONER_DRIVERS: 'terraform',
  };
  expect(provisionerEnvironment({ ...own, ...tools })).toEqual(tools);
  const named = { ...own, BERTH_PROVISIONER_PASS: 'AWS_SECRET_ACCESS_KEY, NOBODY' };
  expect(provisionerEnvironment(named)).toEqual({ AWS_SECRET_ACCESS_KEY: 'x' });
});

function oidcTwice(): string {
  const provider = '{ type: oidc, client_id: x, issuer_url: "https://id.example.com" }';
  return `sign_on: { providers: [${provider}, ${provider}] }`;
}

describe('BERTH_WILDCARD_ACCESS_URL', () => {
  const hostOf = (setting: string, accessUrl: string) => {
    const host = wildcardHostOf(read({ BERTH_WILDCARD_ACCESS_URL: setting }).wildcardAccessUrl, accessUrl);
    return host === null ? null : `${host.pattern}${host.port}`;
  };

  it('is *.localhost where the server is reached by loopback, so that apps work without any DNS, and nothing elsewhere', () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]']) expect(hostOf('', `http://${name}:3000`)).toBe('*.localhost:3000');
    for (const name of ['berth.example.com', '192.0.2.7', '0.0.0.0', 'x.localhost']) expect(hostOf('', `http://${name}:3000`)).toBeNull();
  });

  it('is what it says, with the port of the access URL where it names none, or none', () => {
    expect(hostOf('*.Apps.example.com', 'https://berth.example.com')).toBe('*.apps.example.com');
    expect(hostOf('*--apps.example.com', 'https://berth.example.com:8443')).toBe('*--apps.example.com:8443');
    expect(hostOf('*.apps.example.com:9000', 'https://berth.example.com:8443')).toBe('*.apps.example.com:9000');
    expect(hostOf('none', 'http://127.0.0.1:3000')).toBeNull();
  });

  it.each(['apps.example.com', '*.*.example.com', 'https://*.example.com', '*', '*.exa_mple.com', 'a*.example.com', '*.example.com:x'])(
    'stops the start with a sentence that names it when it breaks a rule: %s',
    (setting) => {
      expect(() => read({ BERTH_WILDCARD_ACCESS_URL: setting })).toThrow(ConfigError);
      expect(() => read({ BERTH_WILDCARD_ACCESS_URL: setting })).toThrow(/^BERTH_WILDCARD_ACCESS_URL must /);
    },
  );
});

describe('apps below a path', () => {
  it('are on, and their owner’s alone, unless told otherwise', () => {
    expect(read({}).pathApps).toEqual({ isEnabled: true, allowsSharing: false, allowsSiteOwners: false });
    const settings = {
      BERTH_DISABLE_PATH_APPS: 'true',
      BERTH_ALLOW_PATH_APP_SHARING: 'true',
      BERTH_ALLOW_PATH_APP_SITE_OWNERS: 'true',
    };
    expect(read(settings).pathApps).toEqual({ isEnabled: false, allowsSharing: true, allowsSiteOwners: true });
  });
});

describe('the environment', () => {
  it('gets a warning for each misspelled setting, with the name that was probably meant', () => {
    const warnings = (env: Record<string, string>) => read(env).warnings;
    expect(warnings({ BERTH_HTP_ADDRESS: '127.0.0.1:1' })).toEqual([
      'BERTH_HTP_ADDRESS is not a setting of Berth. Did you mean BERTH_HTTP_ADDRESS?',
    ]);
    expect(warnings({ BERTH_PROVISIONER_TAG: 'a=b' })).toEqual([
      'BERTH_PROVISIONER_TAG is not a setting of Berth. Did you mean BERTH_PROVISIONER_TAGS?',
    ]);
  });

  it('gets none for a name that the settings file uses or that is passed on', () => {
    const path = file('names.yaml', 'scim:\n  token: ${BERTH_SECRET_OF_SCIM}\n');
    const env = {
      BERTH_CONFIG_FILE: path,
      BERTH_SECRET_OF_SCIM: 'sixteen-characters',
      BERTH_CLOUD: 'x',
      BERTH_PROVISIONER_PASS: 'BERTH_CLOUD',
    };
    expect(read(env).warnings).toEqual([]);
  });

  it('gets a sentence, at once, for a data folder that cannot be created', () => {
    writeFileSync(join(folder, 'taken'), '');
    expect(() => readConfig({ BERTH_DATA_DIR: join(folder, 'taken', 'data') })).toThrow(
      /^BERTH_DATA_DIR: The folder .*taken is not a folder\.$/,
    );
  });
});
