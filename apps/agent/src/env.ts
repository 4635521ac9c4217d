import { readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

export interface AgentEnv {
  /** Where the server is. */
  readonly url: string;
  readonly token: string;
  /** Logs of scripts. */
  readonly logDir: string;
  readonly home: string;
  /** What the commands of the workspace inherit: the agent's own environment without its credentials and settings. */
  readonly inherited: Readonly<Record<string, string>>;
}

/** Of Node and of the agent itself; a program in the workspace must not inherit them. */
const PRIVATE = /^(?:BERTH_AGENT_.*|NODE_CHANNEL_.*|NODE_COMPILE_CACHE|NODE_OPTIONS|NODE_UNIQUE_ID)$/;

/**
 * Reads the settings and removes the token from `env`, so that nothing that this process starts can read it. Settings:
 * `BERTH_AGENT_URL`, `BERTH_AGENT_TOKEN` or `BERTH_AGENT_TOKEN_FILE`, `BERTH_AGENT_LOG_DIR`. Throws a sentence for the log.
 */
export function readEnv(env: NodeJS.ProcessEnv = process.env): AgentEnv {
  const url = env['BERTH_AGENT_URL'] ?? '';
  if (!URL.canParse(url)) throw new Error('BERTH_AGENT_URL must be the URL of the server, such as http://127.0.0.1:3000.');
  const token = readToken(env);
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !PRIVATE.test(name)) inherited[name] = value;
  }
  const logDir = env['BERTH_AGENT_LOG_DIR'] || path.join(tmpdir(), 'berth-agent');
  delete env['BERTH_AGENT_TOKEN'];
  return { url, token, logDir, home: env['HOME'] || homedir(), inherited };
}

function readToken(env: NodeJS.ProcessEnv): string {
  const file = env['BERTH_AGENT_TOKEN_FILE'];
  const token = (env['BERTH_AGENT_TOKEN'] || (file ? readFileSync(file, 'utf8') : '')).trim();
  if (token === '') throw new Error('BERTH_AGENT_TOKEN or BERTH_AGENT_TOKEN_FILE must give the token of this agent.');
  return token;
}
