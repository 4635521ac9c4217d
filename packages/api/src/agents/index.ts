export { followAgentLogs } from './agent-logs.ts';
export { agentConnected, agentDisconnected, agentStillConnected } from './connection.ts';
export type { EnterWorkspace } from './enter.ts';
export { openSsh, openTcp, requireEntry } from './enter.ts';
export { findAgentByToken } from './find-agent-by-token.ts';
export { requireRpcVersion } from './rpc-version.ts';
export type { OpenTerminal } from './terminal.ts';
export { openTerminal, requireTerminal, waitForTunnel } from './terminal.ts';
export { watchAgentMetadata } from './watch-metadata.ts';
