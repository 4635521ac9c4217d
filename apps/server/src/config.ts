import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';

/** `host:port`, with IPv6 hosts in brackets. */
const address = z
  .string()
  .regex(/^(\[[0-9a-fA-F:]+\]|[^:\s]+):\d{1,5}$/, 'must be host:port, such as 127.0.0.1:3000')
  .transform((text) => {
    const cut = text.lastIndexOf(':');
    return { host: text.slice(0, cut).replace(/^\[|\]$/g, ''), port: Number(text.slice(cut + 1)) };
  })
  .refine(({ port }) => port <= 65_535, 'the port must be at most 65535');

const optional = <T extends z.ZodType>(schema: T) => z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** Every setting of the server: the one schema behind the environment. */
const Environment = z.object({
  BERTH_HTTP_ADDRESS: address.prefault('127.0.0.1:3000'),
  BERTH_ACCESS_URL: optional(z.url({ protocol: /^https?$/, error: 'must be an http or https address' })),
  BERTH_DATA_DIR: optional(z.string().refine(isAbsolute, 'must be an absolute path')),
  BERTH_DATABASE_URL: optional(z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// address')),
  BERTH_FIRST_USER_EMAIL: optional(z.string()),
  BERTH_FIRST_USER_USERNAME: optional(z.string()),
  BERTH_FIRST_USER_PASSWORD: optional(z.string()),
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
  BERTH_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  XDG_DATA_HOME: optional(z.string()),
});

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
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  readonly firstUser: FirstUserSettings | null;
  readonly rateLimitPerMinute: number;
  readonly trustedProxies: readonly string[];
  readonly startsProvisioner: boolean;
  /** Null: metrics are not served. */
  readonly metricsAddress: { readonly host: string; readonly port: number } | null;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
}

/** A setting that breaks a rule; its message is for the person at the terminal. */
export class ConfigError extends Error {}

/** Reads the settings and makes the data folder. Throws `ConfigError` naming each broken setting and its rule. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const parsed = Environment.safeParse(env);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('\n'));
  }
  const values = parsed.data;
  const dataDir = values.BERTH_DATA_DIR ?? join(values.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'berth');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError(`BERTH_DATA_DIR ${dataDir} cannot be made: ${error instanceof Error ? error.message : String(error)}`);
  }
  return {
    host: values.BERTH_HTTP_ADDRESS.host,
    port: values.BERTH_HTTP_ADDRESS.port,
    accessUrl: values.BERTH_ACCESS_URL?.replace(/\/+$/, '') ?? null,
    dataDir,
    databaseUrl: values.BERTH_DATABASE_URL ?? null,
    firstUser: firstUserOf(values),
    rateLimitPerMinute: values.BERTH_RATE_LIMIT,
    trustedProxies: values.BERTH_TRUSTED_PROXIES,
    startsProvisioner: values.BERTH_PROVISIONER_DAEMONS > 0,
    metricsAddress: values.BERTH_METRICS_ADDRESS ?? null,
    logLevel: values.BERTH_LOG_LEVEL,
  };
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

const INHERITED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TERM', 'NODE_EXTRA_CA_CERTS'];

/** What a program that the server starts needs to run, and nothing of the server's own settings or secrets. */
export function inheritedEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => INHERITED.includes(name)));
}
