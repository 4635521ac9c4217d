import { readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

import { readHandover } from './update/handover.ts';
import type { Handover } from './update/handover.ts';

export interface AgentEnv {
  /** Where the server is. */
  readonly url: string;
  readonly token: string;
  /** Logs of scripts. */
  readonly logDir: string;
  readonly home: string;
  /** Whether the agent becomes the version of its server. */
  readonly updates: boolean;
  /** Up to so many seconds pass before it fetches a new version, so that the agents of a server do not all come at once. */
  readonly updateSeconds: number;
  /** What the commands of the workspace inherit: the agent's own environment without its credentials and settings. */
  readonly inherited: Readonly<Record<string, string>>;
}

export interface EnvSources {
  readonly env?: NodeJS.ProcessEnv;
  readonly handover?: Pick<Handover, 'url' | 'token'> | undefined;
}

const UPDATE_SECONDS = 60;

/** Of Node and of the agent itself; a program in the workspace must not inherit them. */
const PRIVATE = /^(?:BERTH_AGENT_.*|NODE_CHANNEL_.*|NODE_COMPILE_CACHE|NODE_OPTIONS|NODE_UNIQUE_ID)$/;

/**
 * Reads the settings and removes the token from `env`, so that nothing that this process starts can read it. Settings:
 * `BERTH_AGENT_URL`, `BERTH_AGENT_TOKEN` or `BERTH_AGENT_TOKEN_FILE`, `BERTH_AGENT_LOG_DIR`, `BERTH_AGENT_UPDATE`,
 * `BERTH_AGENT_UPDATE_SECONDS`. An earlier version of the agent hands over what it was told. Throws a sentence for the log.
 */
export function readEnv({ env = process.env, handover }: EnvSources = {}): AgentEnv {
  const url = handover?.url ?? env['BERTH_AGENT_URL'] ?? '';
  if (!URL.canParse(url)) throw new Error('BERTH_AGENT_URL must be the URL of the server, such as http://127.0.0.1:3000.');
  const token = handover?.token ?? readToken(env);
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !PRIVATE.test(name)) inherited[name] = value;
  }
  const logDir = env['BERTH_AGENT_LOG_DIR'] || path.join(tmpdir(), 'berth-agent');
  delete env['BERTH_AGENT_TOKEN'];
  const updates = !/^(?:0|f|false|no|off)$/i.test(env['BERTH_AGENT_UPDATE'] ?? '');
  const seconds = Number.parseFloat(env['BERTH_AGENT_UPDATE_SECONDS'] ?? '');
  const updateSeconds = seconds >= 0 && seconds <= 86_400 ? seconds : UPDATE_SECONDS;
  return { url, token, logDir, home: env['HOME'] || homeOf(), updates, updateSeconds, inherited };
}

/** Names the file that an agent leaves to the version that takes its place. */
const HANDOVER = 'BERTH_AGENT_HANDOVER';

/** What an older version of the agent left in this process; undefined for an agent that starts. Throws when it cannot be read. */
export function takeHandover(env: NodeJS.ProcessEnv = process.env): Handover | undefined {
  const file = env[HANDOVER];
  delete env[HANDOVER];
  return file === undefined || file === '' ? undefined : readHandover(file);
}

/** The environment of the version that takes the place of this one. */
export function environmentOfNext(handoverFile: string, env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const defined = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return { ...Object.fromEntries(defined), [HANDOVER]: handoverFile };
}

/** A uid without an entry in the user database, as in many containers, has none. */
function homeOf(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}

function readToken(env: NodeJS.ProcessEnv): string {
  const file = env['BERTH_AGENT_TOKEN_FILE'];
  const token = (env['BERTH_AGENT_TOKEN'] || (file ? readFileSync(file, 'utf8') : '')).trim();
  if (token === '') throw new Error('BERTH_AGENT_TOKEN or BERTH_AGENT_TOKEN_FILE must give the token of this agent.');
  return token;
}
