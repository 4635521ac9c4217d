/** What `packages/rest` and `apps/server` build on: the router, and the service functions behind raw routes and loops. */
export { appRouter } from './router.ts';
export type { AppRouter } from './router.ts';
export type { ProcedureFacts } from './procedures.ts';
export { procedureFacts } from './procedures.ts';
export * from './kernel/index.ts';
export type { ExternalAuthProvider } from './external-auth/settings.ts';
export { ExternalAuthSettings } from './external-auth/settings.ts';
export { SupportLink } from './appearance/contract.ts';
export type { DeploymentSetting, SettingGroup } from './deployment/setting.ts';
export { externalAuthPurpose } from './external-auth/link-account.ts';
export { OidcProvider, SignOnSettings } from './sign-on/settings.ts';
/** For the settings of the server, which refuse a schedule and a domain of apps that are none. */
export type { WildcardHost } from '@berth/domain';
export { isAppHost, isSafeLink, parseAppHost } from '@berth/domain';
export { QUIET_HOURS_DEFAULT, parseWildcardHost, quietHoursProblem, wildcardHostProblem } from '@berth/domain';
export { signOnCookie } from './sign-on/begin.ts';
export { signOnErrorCode } from './sign-on/refusal.ts';
export { CachingAuthenticator } from './auth/authenticator.ts';
export { attemptCookieName } from './auth/attempt.ts';
export { csrfCookieName, csrfTokenMatches, parseApiKey, sessionCookieName } from './auth/sessions.ts';
export { SCIM_ERROR, isScimEnabled, scimPrincipal, scimTypeOf } from './scim/index.ts';
export { createFirstUser } from './users/first-user.ts';
export { providerMetadata } from './oauth2/index.ts';
export { Activity } from './activity/index.ts';
export { Traffic } from './deployment-stats/index.ts';
export { createTunnelRegistry } from './agents/tunnel-registry.ts';
export type { Unreadiness } from './health/index.ts';
export { checkReadiness } from './health/index.ts';
export { registerReplica, stopReplica } from './replicas/index.ts';
export { startLoops } from './loops.ts';
export { SealingKeyError, requireSealingKeys } from './sealing/index.ts';
export { DownloadFormat, MAX_UPLOAD_BYTES } from './files/contract.ts';
export { downloadFile, uploadFile } from './files/transfer.ts';
export { followTemplateVersionLogs } from './template-versions/read-versions.ts';
export { followDryRunLogs } from './template-versions/dry-runs/read-dry-runs.ts';
export type { EnterWorkspace, OpenTerminal } from './agents/index.ts';
export {
  RELAY_HEADER,
  RelayVerifier,
  followAgentLogs,
  holdTunnel,
  openSsh,
  openTcp,
  openTerminal,
  relayPath,
  requireEntry,
  requireRpcVersion,
  requireTerminal,
  serveRelay,
  waitForTunnel,
  watchAgentMetadata,
} from './agents/index.ts';
export type { AppRefusalReason, AppRequest, AppRequestTarget, AppTarget, OpenedApp } from './apps/index.ts';
export { APP_KEY_PARAMETER, APP_TOKEN_SECONDS, AppRefusal, keyOfAppSession, openApp, redeemAppKey, whileAppOpen } from './apps/index.ts';
export { buildStateBytes, followBuildLogs } from './builds/index.ts';
export { watchWorkspace, workspaceStateId } from './workspaces/index.ts';
export type { OpenShare, ShareDoor } from './workspace-shares/index.ts';
export { noteUse, shareFor, termsOf } from './workspace-shares/index.ts';
export { ServeQuery, daemonPrincipal, requireDaemonCredential } from './provisioner-daemons/index.ts';
export { exportAuditLogs, noteVerification, sealAuditRows, verifyAuditChain } from './audit/index.ts';
export { ExportAuditLogs } from './audit/contract.ts';
/** The server's end of an agent's tunnel: made by the door that the agent dials. */
export { AGENT_RPC_PATH } from '@berth/protocol';
export { ByteSocket, TUNNEL_PATH, TUNNEL_WEBSOCKET_OPTIONS, joinStreams, openTunnel } from '@berth/protocol/tunnel';
export type { PtyExit } from '@berth/protocol/tunnel';
