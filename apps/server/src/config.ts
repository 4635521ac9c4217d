import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { DeploymentSetting, ExternalAuthProvider, PathAppSettings, SignOnSettings, WildcardHost } from '@berth/api/server';
import {
  OidcProvider,
  QUIET_HOURS_DEFAULT,
  SupportLink,
  isSafeLink,
  parseWildcardHost,
  quietHoursProblem,
  wildcardHostProblem,
} from '@berth/api/server';
import { Secret, secretText, unknownSettings } from '@berth/core';
import { DataFolderError, prepareDataFolder } from '@berth/core/data-folder';
import { z } from 'zod';
import type { ConfigFile } from './config-file.ts';
import { readConfigFile } from './config-file.ts';
import { deploymentOptions } from './deployment-options.ts';
import { sealingKeys } from './sealing-keys.ts';
import { SETTINGS } from './settings-table.ts';

/** `host:port`, with IPv6 hosts in brackets. */
const address = z
  .string()
  .regex(/^(\[[0-9a-fA-F:]+\]|[^:\s]+):\d{1,5}$/, 'must be host:port, such as 127.0.0.1:3000')
  .transform((text) => {
    const cut = text.lastIndexOf(':');
    return { host: text.slice(0, cut).replace(/^\[|\]$/g, ''), port: Number(text.slice(cut + 1)) };
  })
  .refine(({ port }) => port <= 65_535, 'must have a port of at most 65535');

/** `true` or `false`, as a person writes it. */
const flag = (standard: boolean) => z.stringbool({ error: 'must be true or false' }).default(standard);

const optional = <T extends z.ZodType>(schema: T) => z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** Path, query and credentials have no place in it: they would be lost or logged. */
const relayAddress = z.string().refine((text) => {
  const url = URL.parse(text);
  return text === 'none' || (url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href);
}, 'must be an http or https address without a path, or none');

const LINKS_RULE =
  'must be a JSON list of at most 10 links {"name", "target": an http, https or mailto address, "icon": bug, chat or docs}';

const supportLinks = z
  .string()
  .transform((text, context) => {
    try {
      const json: unknown = JSON.parse(text);
      return json;
    } catch {
      context.addIssue({ code: 'custom', message: LINKS_RULE });
      return z.NEVER;
    }
  })
  .pipe(z.array(SupportLink, LINKS_RULE).max(10, LINKS_RULE))
  .refine((links) => links.every(({ target }) => isSafeLink(target)), LINKS_RULE);

/** Every setting of the server: the one schema behind the environment. What it means in words stands in `settings-table.ts`. */
const Environment = z.object({
  BERTH_HTTP_ADDRESS: address.prefault('127.0.0.1:3000'),
  BERTH_ACCESS_URL: optional(z.url({ protocol: /^https?$/, error: 'must be an http or https address' })),
  BERTH_DATA_DIR: optional(z.string().refine(isAbsolute, 'must be an absolute path')),
  BERTH_DATABASE_URL: optional(z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// address')),
  BERTH_FIRST_USER_EMAIL: optional(z.string()),
  BERTH_FIRST_USER_USERNAME: optional(z.string()),
  BERTH_FIRST_USER_PASSWORD: optional(z.string()),
  /** The domain whose names are apps: `*.apps.example.com`, or `none`. */
  BERTH_WILDCARD_ACCESS_URL: optional(z.string()),
  /** Where the other replicas reach this process; `none` when they shall not. */
  BERTH_RELAY_ADDRESS: optional(relayAddress),
  /** Whether apps that have only a path can be opened at all. */
  BERTH_DISABLE_PATH_APPS: flag(false),
  /** Whether path apps may be shared beyond the workspace's owner. */
  BERTH_ALLOW_PATH_APP_SHARING: flag(false),
  /** Whether owners of the deployment may open the path apps of everybody. */
  BERTH_ALLOW_PATH_APP_SITE_OWNERS: flag(false),
  /** Requests to the API per address and minute; 0 is no limit. */
  BERTH_RATE_LIMIT: z.coerce.number().int().min(0).default(0),
  /** Addresses or networks whose forwarding headers count. */
  BERTH_TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
  /** Provisioner daemons that the server starts itself: 0 or 1. */
  BERTH_PROVISIONER_DAEMONS: z.coerce.number().int().min(0).max(1).default(1),
  /** Where Prometheus finds `/metrics`; nowhere unless set. */
  BERTH_METRICS_ADDRESS: optional(address),
  /** A YAML file with what is too long for the environment. */
  BERTH_CONFIG_FILE: optional(z.string()),
  /** Whether people may sign in with a password. */
  BERTH_PASSWORD_SIGN_IN: optional(flag(true)),
  /** One OpenID Connect provider, the short way; the settings file takes several, with every option. */
  BERTH_OIDC_ISSUER_URL: optional(z.string()),
  BERTH_OIDC_CLIENT_ID: optional(z.string()),
  BERTH_OIDC_CLIENT_SECRET: optional(z.string()),
  BERTH_OIDC_DISPLAY_NAME: optional(z.string()),
  /** The bearer token of the identity provider that calls SCIM. */
  BERTH_SCIM_TOKEN: optional(secretText(z.string().min(16, 'must have at least 16 characters'))),
  /** `smtp://user:password@host:587`, or `smtps://`. */
  BERTH_SMTP_URL: optional(secretText(z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps address' }))),
  BERTH_MAIL_FROM: optional(z.string().min(3)),
  /** Keys that encrypt stored secrets, newest first: 32 bytes in base64 each, separated by commas. */
  BERTH_SEALING_KEYS: optional(z.string()),
  /** When quiet hours begin for users who chose none. */
  BERTH_QUIET_HOURS_DEFAULT: z
    .string()
    .default(QUIET_HOURS_DEFAULT)
    .refine((schedule) => quietHoursProblem(schedule) === null, 'must be a daily schedule such as CRON_TZ=Europe/Lisbon 30 22 * * *'),
  /** Whether users may choose quiet hours of their own. */
  BERTH_ALLOW_CUSTOM_QUIET_HOURS: flag(true),
  /** Whether owners may rename workspaces. */
  BERTH_ALLOW_WORKSPACE_RENAMES: flag(false),
  /** The deployment's own documentation. */
  BERTH_DOCS_URL: optional(z.url({ protocol: /^https?$/, error: 'must be an http or https address' })),
  /** Where people find help, as JSON. */
  BERTH_SUPPORT_LINKS: optional(supportLinks),
  BERTH_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  XDG_DATA_HOME: optional(z.string()),
});

/** The variables of the server's own that it reads. */
export const OF_ENVIRONMENT: readonly string[] = Object.keys(Environment.shape).filter((name) => name.startsWith('BERTH_'));

export interface FirstUserSettings {
  readonly email: string;
  readonly username: string;
  readonly password: string;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Null: made from the address once the port is known. */
  readonly accessUrl: string | null;
  /** The setting as it was written; empty: none was made. Read by `wildcardHostOf` once the access URL is known. */
  readonly wildcardAccessUrl: string;
  /** Where other replicas reach this process; empty: nowhere. Null: made from the address once the port is known. */
  readonly relayAddress: string | null;
  readonly pathApps: PathAppSettings;
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  readonly firstUser: FirstUserSettings | null;
  readonly rateLimitPerMinute: number;
  readonly trustedProxies: readonly string[];
  readonly startsProvisioner: boolean;
  /** Null: metrics are not served. */
  readonly metricsAddress: { readonly host: string; readonly port: number } | null;
  readonly signOn: SignOnSettings;
  readonly externalAuth: readonly ExternalAuthProvider[];
  /** Null: SCIM is off. */
  readonly scimToken: Secret | null;
  /** Null: no mail is sent. */
  readonly mail: NonNullable<ConfigFile['mail']> | null;
  readonly sealingKeys: readonly Secret[];
  /** A daily cron with its zone. */
  readonly quietHoursDefault: string;
  readonly allowCustomQuietHours: boolean;
  readonly allowWorkspaceRenames: boolean;
  readonly docsUrl: string;
  readonly supportLinks: readonly SupportLink[];
  /** All of it, as administrators may read it. */
  readonly options: readonly DeploymentSetting[];
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** What in the environment is probably a mistake, in a sentence each. */
  readonly warnings: readonly string[];
}

/** A setting that breaks a rule; its message is for the person at the terminal. */
export class ConfigError extends Error {}

/** Where the server's database is, or would be, without creating anything. Throws `ConfigError` as `readConfig` does. */
export function readDatabasePlace(env: NodeJS.ProcessEnv = process.env): Pick<Config, 'databaseUrl' | 'dataDir'> {
  const values = readEnvironment(env);
  return { databaseUrl: values.BERTH_DATABASE_URL ?? null, dataDir: dataDirOf(values) };
}

/** Reads the settings and makes the data folder. Throws `ConfigError` naming each broken setting and its rule. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const values = readEnvironment(env);
  const dataDir = dataDirOf(values);
  try {
    prepareDataFolder(dataDir, 0o700);
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error;
    throw new ConfigError(`BERTH_DATA_DIR: ${error.message}`, { cause: error });
  }
  const read = readConfigFile(values.BERTH_CONFIG_FILE ?? null, env);
  if ('problems' in read) throw new ConfigError(read.problems.join('\n'));
  return {
    host: values.BERTH_HTTP_ADDRESS.host,
    port: values.BERTH_HTTP_ADDRESS.port,
    accessUrl: values.BERTH_ACCESS_URL?.replace(/\/+$/, '') ?? null,
    relayAddress: values.BERTH_RELAY_ADDRESS === 'none' ? '' : (values.BERTH_RELAY_ADDRESS?.replace(/\/+$/, '') ?? null),
    wildcardAccessUrl: wildcardTextOf(values.BERTH_WILDCARD_ACCESS_URL),
    pathApps: {
      isEnabled: !values.BERTH_DISABLE_PATH_APPS,
      allowsSharing: values.BERTH_ALLOW_PATH_APP_SHARING,
      allowsSiteOwners: values.BERTH_ALLOW_PATH_APP_SITE_OWNERS,
    },
    dataDir,
    databaseUrl: values.BERTH_DATABASE_URL ?? null,
    firstUser: firstUserOf(values),
    rateLimitPerMinute: values.BERTH_RATE_LIMIT,
    trustedProxies: values.BERTH_TRUSTED_PROXIES,
    startsProvisioner: values.BERTH_PROVISIONER_DAEMONS > 0,
    metricsAddress: values.BERTH_METRICS_ADDRESS ?? null,
    signOn: signOnOf(values, read.file.sign_on),
    externalAuth: read.file.external_auth,
    scimToken: values.BERTH_SCIM_TOKEN ?? read.file.scim?.token ?? null,
    mail: mailOf(values) ?? read.file.mail ?? null,
    sealingKeys: sealingKeysOf(values.BERTH_SEALING_KEYS, dataDir),
    quietHoursDefault: values.BERTH_QUIET_HOURS_DEFAULT,
    allowCustomQuietHours: values.BERTH_ALLOW_CUSTOM_QUIET_HOURS,
    allowWorkspaceRenames: values.BERTH_ALLOW_WORKSPACE_RENAMES,
    docsUrl: values.BERTH_DOCS_URL ?? '',
    supportLinks: values.BERTH_SUPPORT_LINKS ?? [],
    options: deploymentOptions(env, read.file),
    warnings: warningsAbout(env, read.variables),
    logLevel: values.BERTH_LOG_LEVEL,
  };
}

function readEnvironment(env: NodeJS.ProcessEnv): z.output<typeof Environment> {
  const parsed = Environment.safeParse(env);
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('\n'));
}

function dataDirOf(values: z.output<typeof Environment>): string {
  return values.BERTH_DATA_DIR ?? join(values.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'berth');
}

/** `read` are the variables that the settings file uses. */
function warningsAbout(env: NodeJS.ProcessEnv, read: readonly string[]): string[] {
  const known = SETTINGS.map((setting) => setting.env).filter((name) => name !== '');
  return unknownSettings(env, { known, ignored: [...read, ...passedNames(env), ...OF_PROVISIONERS_ELSEWHERE] });
}

const NO_WILDCARD = 'none';

function wildcardTextOf(setting: string | undefined): string {
  const text = setting?.trim().toLowerCase() ?? '';
  if (text === '' || text === NO_WILDCARD) return text;
  const problem = wildcardHostProblem(text);
  if (problem !== null) throw new ConfigError(`BERTH_WILDCARD_ACCESS_URL ${problem}; or it is none`);
  return text;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The domain whose names are apps. Unless the setting says otherwise, a server on loopback takes `*.localhost`, which browsers resolve to
 * the machine that they run on, so that apps have a host of their own without any DNS. Null: apps have only paths.
 */
export function wildcardHostOf(setting: string, accessUrl: string): WildcardHost | null {
  const { hostname, port } = new URL(accessUrl);
  if (setting === NO_WILDCARD || (setting === '' && !LOOPBACK.has(hostname))) return null;
  return parseWildcardHost(setting === '' ? '*.localhost' : setting, port);
}

function signOnOf(values: z.output<typeof Environment>, file: SignOnSettings): SignOnSettings {
  const password_enabled = values.BERTH_PASSWORD_SIGN_IN ?? file.password_enabled;
  if (values.BERTH_OIDC_ISSUER_URL === undefined) return { ...file, password_enabled };
  const provider = OidcProvider.safeParse({
    type: 'oidc',
    issuer_url: values.BERTH_OIDC_ISSUER_URL,
    client_id: values.BERTH_OIDC_CLIENT_ID,
    client_secret: values.BERTH_OIDC_CLIENT_SECRET,
    display_name: values.BERTH_OIDC_DISPLAY_NAME,
  });
  if (!provider.success) {
    throw new ConfigError(
      provider.error.issues.map((issue) => `BERTH_OIDC_${issue.path.join('_').toUpperCase()} ${issue.message}`).join('\n'),
    );
  }
  if (file.providers.some(({ id }) => id === provider.data.id)) {
    throw new ConfigError(
      `BERTH_OIDC_ISSUER_URL and the settings file both name a provider "${provider.data.id}": keep one, or give the other an id`,
    );
  }
  return { ...file, password_enabled, providers: [provider.data, ...file.providers] };
}

function mailOf(values: z.output<typeof Environment>): Config['mail'] {
  const { BERTH_SMTP_URL: smtp_url, BERTH_MAIL_FROM: from } = values;
  if (smtp_url === undefined && from === undefined) return null;
  if (smtp_url === undefined || from === undefined) {
    throw new ConfigError('BERTH_SMTP_URL and BERTH_MAIL_FROM go together: set both or none');
  }
  return { smtp_url, from };
}

function sealingKeysOf(setting: string | undefined, dataDir: string): Secret[] {
  try {
    return sealingKeys(setting, dataDir).map((key) => new Secret(key));
  } catch (error) {
    throw new ConfigError(`BERTH_SEALING_KEYS: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function firstUserOf(values: z.output<typeof Environment>): FirstUserSettings | null {
  const { BERTH_FIRST_USER_EMAIL: email, BERTH_FIRST_USER_USERNAME: username, BERTH_FIRST_USER_PASSWORD: password } = values;
  if (email === undefined && username === undefined && password === undefined) return null;
  if (email === undefined || username === undefined || password === undefined) {
    throw new ConfigError(
      'BERTH_FIRST_USER_EMAIL, BERTH_FIRST_USER_USERNAME and BERTH_FIRST_USER_PASSWORD go together: set all three or none',
    );
  }
  return { email, username, password };
}

/** The address that people and agents use when BERTH_ACCESS_URL does not say: a wildcard host is reached by loopback. */
export function defaultAccessUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** The address that other replicas use when BERTH_RELAY_ADDRESS does not say: a wildcard host is reached by the machine's name. */
export function defaultRelayAddress(host: string, port: number, machine: string): string {
  return defaultAccessUrl(host === '0.0.0.0' || host === '::' ? machine : host, port);
}

const INHERITED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TERM', 'NODE_EXTRA_CA_CERTS'];

/** By these a provisioner and the tools that it runs are set up: they concern no other program. */
const OF_PROVISIONERS =
  /^(?:BERTH_PROVISIONER_(?:DRIVERS|TAGS|CONCURRENCY)|BERTH_TERRAFORM_BINARY|BERTH_DOCKER_HOST|TF_\w+|DOCKER_\w+|(?:HTTPS?|NO)_PROXY|SSL_CERT_(?:FILE|DIR)|XDG_RUNTIME_DIR)$/i;

/**
 * What the server's own provisioner daemon gets: what it needs to run, the settings of its tools, and whatever else
 * `BERTH_PROVISIONER_PASS` names (with commas between), such as the credentials of a cloud.
 */
export function provisionerEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const named = passedNames(env);
  const passed = Object.entries(env).filter(([name]) => OF_PROVISIONERS.test(name) || named.includes(name));
  return { ...inheritedEnvironment(env), ...Object.fromEntries(passed) };
}

/** Variables that `BERTH_PROVISIONER_PASS` hands on. */
function passedNames(env: NodeJS.ProcessEnv): string[] {
  return (env['BERTH_PROVISIONER_PASS'] ?? '').split(',').map((name) => name.trim());
}

/** What only a provisioner on a host of its own reads, which may share its environment with a server. */
const OF_PROVISIONERS_ELSEWHERE = ['KEY', 'KEY_FILE', 'NAME', 'DATA_DIR', 'DRAIN_SECONDS', 'HIDE'].map(
  (name) => `BERTH_PROVISIONER_${name}`,
);

/** By these npm finds its registry, and the way there. */
const OF_NPM = /^(?:npm_config_\w+|(?:HTTPS?|NO|ALL)_PROXY|SSL_CERT_(?:FILE|DIR))$/i;

/** What npm gets when the server fetches a package with it. */
export function npmEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...inheritedEnvironment(env), ...Object.fromEntries(Object.entries(env).filter(([name]) => OF_NPM.test(name))) };
}

/** What a program that the server starts needs to run, and nothing of the server's own settings or secrets. */
function inheritedEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => INHERITED.includes(name)));
}
