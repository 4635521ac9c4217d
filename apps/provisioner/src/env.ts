import { homedir } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';
import { z } from 'zod';

const absolutePath = z.string().refine(isAbsolute, 'must be an absolute path');

const Env = z.object({
  BERTH_URL: z.url({ protocol: /^https?$/ }),
  BERTH_PROVISIONER_KEY: z.string().min(1).max(512),
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
}

/** Reads the environment once. Throws one readable error that names every variable that is missing or wrong. */
export function readEnv(source: NodeJS.ProcessEnv = process.env): ProvisionerEnv {
  const parsed = Env.safeParse(source);
  if (!parsed.success) {
    const reasons = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The provisioner cannot start:\n${reasons.join('\n')}`);
  }
  const env = parsed.data;
  return {
    serverUrl: env.BERTH_URL.replace(/\/+$/, ''),
    key: env.BERTH_PROVISIONER_KEY,
    name: env.BERTH_PROVISIONER_NAME,
    dataDir: env.BERTH_PROVISIONER_DATA_DIR,
    agentDir: env.BERTH_AGENT_DIR,
    concurrency: env.BERTH_PROVISIONER_CONCURRENCY,
    hiddenPaths: [env.BERTH_PROVISIONER_DATA_DIR, homedir(), ...env.BERTH_PROVISIONER_HIDE],
  };
}

/** The whole environment of this process, for programs that are configured by it. Who starts one says what is kept back. */
export function hostEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env };
}
