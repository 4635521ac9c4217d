import { unknownSettings } from '@berth/core';
import { ProvisionerType } from '@berth/protocol';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { z } from 'zod';

const absolutePath = z.string().refine(isAbsolute, 'must be an absolute path');

const list = () =>
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

const Env = z.object({
  BERTH_URL: z.url({ protocol: /^https?$/ }),
  BERTH_PROVISIONER_KEY: z.string().min(1).max(512).optional(),
  /** A file with the key, so that it is not in the environment. */
  BERTH_PROVISIONER_KEY_FILE: absolutePath.optional(),
  BERTH_PROVISIONER_NAME: z.string().min(1).max(64),
  BERTH_PROVISIONER_DATA_DIR: absolutePath,
  BERTH_AGENT_DIR: absolutePath,
  BERTH_PROVISIONER_CONCURRENCY: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1).max(64))
    .default(3),
  /** More folders that no workspace may see, beside the data folder and the home of whoever runs this. */
  BERTH_PROVISIONER_HIDE: z
    .string()
    .default('')
    .transform((list) => list.split(delimiter).filter((path) => path !== ''))
    .pipe(z.array(absolutePath).max(64)),
  /** Only these, of those that the host can run. */
  BERTH_PROVISIONER_DRIVERS: list().pipe(z.array(ProvisionerType)).default([]),
  BERTH_PROVISIONER_TAGS: list()
    .pipe(z.array(z.string().regex(/^[^=]+=/, 'must be key=value, with commas between')).max(32))
    .transform((pairs) =>
      Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), pair.slice(pair.indexOf('=') + 1).trim()])),
    )
    .default({}),
  /** Seconds that running jobs may still take once the daemon is asked to end. */
  BERTH_PROVISIONER_DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number')
    .transform(Number)
    .default(10),
  /** A Terraform or OpenTofu other than the one on the PATH. */
  BERTH_TERRAFORM_BINARY: z.string().max(4096).default(''),
  /** The engine for containers: `unix:///PATH`, `tcp://HOST:PORT` or `off`. By default DOCKER_HOST, else the usual sockets. */
  BERTH_DOCKER_HOST: z.string().max(4096).optional(),
  DOCKER_HOST: z.string().max(4096).optional(),
  DOCKER_CONFIG: z.string().max(4096).optional(),
  XDG_RUNTIME_DIR: z.string().max(4096).optional(),
});

/** All that the daemon is told by whoever starts it. */
export interface ProvisionerEnv {
  readonly serverUrl: string;
  readonly key: string;
  readonly name: string;
  readonly dataDir: string;
  readonly agentDir: string;
  readonly concurrency: number;
  /** Real or not, absolute paths that must stay out of sight of workspaces. */
  readonly hiddenPaths: readonly string[];
  /** Empty: all that the host can run. */
  readonly drivers: readonly ProvisionerType[];
  readonly tags: Readonly<Record<string, string>>;
  readonly drainMs: number;
  /** Empty: `terraform`, else `tofu`, on the PATH. */
  readonly terraformBinary: string;
  readonly containers: ContainerSettings;
}

export interface ContainerSettings {
  /** Of the engine; undefined: the usual sockets are tried. */
  readonly host: string | undefined;
  readonly runtimeDir: string | undefined;
  /** The folder in which `docker login` keeps what it was told. */
  readonly credentials: string;
}

/** Reads the environment once. Throws one readable error that names every variable that is missing or wrong. */
export function readEnv(source: NodeJS.ProcessEnv = process.env): ProvisionerEnv {
  const parsed = Env.safeParse(source);
  if (!parsed.success) {
    const reasons = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new Error(`The provisioner cannot start:\n${reasons.join('\n')}`);
  }
  const env = parsed.data;
  return {
    serverUrl: env.BERTH_URL.replace(/\/+$/, ''),
    key: readKey(env),
    name: env.BERTH_PROVISIONER_NAME,
    dataDir: env.BERTH_PROVISIONER_DATA_DIR,
    agentDir: env.BERTH_AGENT_DIR,
    concurrency: env.BERTH_PROVISIONER_CONCURRENCY,
    hiddenPaths: [env.BERTH_PROVISIONER_DATA_DIR, homedir(), ...env.BERTH_PROVISIONER_HIDE],
    drivers: env.BERTH_PROVISIONER_DRIVERS,
    tags: env.BERTH_PROVISIONER_TAGS,
    drainMs: env.BERTH_PROVISIONER_DRAIN_SECONDS * 1000,
    terraformBinary: env.BERTH_TERRAFORM_BINARY,
    containers: {
      host: env.BERTH_DOCKER_HOST ?? env.DOCKER_HOST,
      runtimeDir: env.XDG_RUNTIME_DIR,
      credentials: env.DOCKER_CONFIG ?? join(homedir(), '.docker'),
    },
  };
}

function readKey({ BERTH_PROVISIONER_KEY: key, BERTH_PROVISIONER_KEY_FILE: file }: z.output<typeof Env>): string {
  if (key !== undefined) return key;
  if (file === undefined) {
    throw new Error('The provisioner cannot start:\nBERTH_PROVISIONER_KEY: is missing, and so is BERTH_PROVISIONER_KEY_FILE');
  }
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text !== '') return text;
  } catch (error) {
    throw new Error(
      `The provisioner cannot start:\n${file} with its key cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
  throw new Error(`The provisioner cannot start:\n${file} is empty; it must hold the key`);
}

/** Settings of the server, which may share its environment with a daemon. */
const OF_SERVERS = ['BERTH_PROVISIONER_DAEMONS', 'BERTH_PROVISIONER_PASS'];

/**
 * A sentence for each variable that was probably meant as a setting of the daemon. The server passes on a checked environment, so this is
 * for daemons that were started by hand.
 */
export function settingWarnings(source: NodeJS.ProcessEnv): string[] {
  const known = Object.keys(Env.shape).filter((name) => name.startsWith('BERTH_'));
  return unknownSettings(source, { known, ignored: OF_SERVERS, isOwn: (name) => name.startsWith('BERTH_PROVISIONER_') });
}

/** The whole environment of this process, for programs that are configured by it. Who starts one says what is kept back. */
export function hostEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env };
}
