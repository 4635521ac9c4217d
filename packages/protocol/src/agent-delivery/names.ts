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
