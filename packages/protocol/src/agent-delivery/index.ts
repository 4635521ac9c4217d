import { readFileSync } from 'node:fs';

export { listAgentFiles, packAgent } from './pack-agent.ts';
export type { AgentFiles } from './pack-agent.ts';

/** How a processor is called in the names of downloads, in templates and in the environment of Terraform's provider. */
export const AGENT_ARCHITECTURES = ['amd64', 'arm64', 'armv7'] as const;
export type AgentArchitecture = (typeof AGENT_ARCHITECTURES)[number];

/** The same for what Node.js calls `process.arch`; undefined where there is no agent. */
export function agentArchitecture(nodeArch: string): AgentArchitecture | undefined {
  const names: Readonly<Record<string, AgentArchitecture>> = { x64: 'amd64', arm64: 'arm64', arm: 'armv7' };
  return names[nodeArch];
}

/** The file with the agent and its Node.js, as the server has it under `/bin/`: `node` and `agent/` at its top. */
export function agentBundleName(architecture: AgentArchitecture): string {
  return `berth-agent-linux-${architecture}.tar.gz`;
}

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
