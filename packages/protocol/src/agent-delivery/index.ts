import { readFileSync } from 'node:fs';

import type { AgentArchitecture } from './names.ts';

export { AGENT_ARCHITECTURES, agentArchitecture, agentBundleName } from './names.ts';
export type { AgentArchitecture } from './names.ts';
export { listAgentFiles, packAgent } from './pack-agent.ts';
export type { AgentFiles } from './pack-agent.ts';

/** Where the server has the script that fetches the agent. */
export const AGENT_START_PATH = '/bin/berth-agent-start.sh';

const script = readFileSync(new URL('./agent-start.sh', import.meta.url), 'utf8');

export interface AgentStart {
  /** Without it, the text keeps `${ACCESS_URL}` for whoever fills it in, or takes the address from its environment. */
  readonly accessUrl?: string;
  /** Without it, the script asks the system. */
  readonly architecture?: AgentArchitecture;
}

/**
 * The text of a POSIX shell script that fetches the agent from the server and becomes it. It finds the agent's token in
 * `BERTH_AGENT_TOKEN` or `CODER_AGENT_TOKEN`. As the first process of a container it also passes signals on and reaps.
 */
export function agentStartScript({ accessUrl, architecture }: AgentStart = {}): string {
  let text = script;
  if (accessUrl !== undefined) text = text.replaceAll('${ACCESS_URL}', () => quoted(accessUrl));
  if (architecture !== undefined) text = text.replaceAll('${ARCH}', () => architecture);
  return text;
}

/** Inside double quotes of a shell. An URL has none of these, but a person may have typed one. */
function quoted(value: string): string {
  return value.replaceAll(/[\\"$`]/g, String.raw`\$&`);
}
