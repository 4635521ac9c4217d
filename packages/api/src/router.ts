import { agentApiRouter } from './agents/agent-api-router.ts';
import { agentsRouter } from './agents/router.ts';
import { appearanceRouter } from './appearance/router.ts';
import { applicationsRouter } from './apps/router.ts';
import { auditRouter } from './audit/router.ts';
import { authRouter } from './auth/router.ts';
import { authorizationRouter } from './authorization/router.ts';
import { buildInfoRouter } from './build-info/router.ts';
import { buildsRouter } from './builds/router.ts';
import { deploymentStatsRouter } from './deployment-stats/router.ts';
import { debugRouter } from './debug/router.ts';
import { deploymentRouter } from './deployment/router.ts';
import { externalAuthRouter } from './external-auth/router.ts';
import { generalRouter } from './general/router.ts';
import { gitSshKeysRouter } from './git-ssh-keys/router.ts';
import { groupsRouter } from './groups/router.ts';
import { identitiesRouter } from './identities/router.ts';
import { idpSyncRouter } from './idp-sync/router.ts';
import { t } from './kernel/trpc.ts';
import { healthRouter } from './health/router.ts';
import { insightsRouter } from './insights/router.ts';
import { licensesRouter } from './licenses/router.ts';
import { membersRouter } from './members/router.ts';
import { oauth2AppsRouter } from './oauth2-apps/router.ts';
import { oauth2Router } from './oauth2/router.ts';
import { organizationsRouter } from './organizations/router.ts';
import { portSharesRouter } from './port-shares/router.ts';
import { replicasRouter } from './replicas/router.ts';
import { provisionerApiRouter } from './provisioner-api/router.ts';
import { provisionerDaemonsRouter } from './provisioner-daemons/router.ts';
import { provisionerKeysRouter } from './provisioner-keys/router.ts';
import { quotasRouter } from './quotas/router.ts';
import { quietHoursRouter } from './quiet-hours/router.ts';
import { rolesRouter } from './roles/router.ts';
import { savedSearchesRouter } from './saved-searches/router.ts';
import { scimRouter } from './scim/router.ts';
import { signOnRouter } from './sign-on/router.ts';
import { templateVersionsRouter } from './template-versions/router.ts';
import { templatesRouter } from './templates/router.ts';
import { tokensRouter } from './tokens/router.ts';
import { usersRouter } from './users/router.ts';
import { workspaceProxiesRouter } from './workspace-proxies/router.ts';
import { workspaceSharesRouter } from './workspace-shares/router.ts';
import { workspacesRouter } from './workspaces/router.ts';

/** The one router of the product: typed RPC for the dashboard, agents and provisioners, and `/api/v2` through `packages/rest`. */
export const appRouter = t.router({
  agentApi: agentApiRouter,
  agents: agentsRouter,
  appearance: appearanceRouter,
  applications: applicationsRouter,
  audit: auditRouter,
  auth: authRouter,
  authorization: authorizationRouter,
  buildInfo: buildInfoRouter,
  builds: buildsRouter,
  debug: debugRouter,
  deploymentStats: deploymentStatsRouter,
  deployment: deploymentRouter,
  externalAuth: externalAuthRouter,
  general: generalRouter,
  gitSshKeys: gitSshKeysRouter,
  groups: groupsRouter,
  health: healthRouter,
  licenses: licensesRouter,
  members: membersRouter,
  identities: identitiesRouter,
  idpSync: idpSyncRouter,
  insights: insightsRouter,
  oauth2: oauth2Router,
  oauth2Apps: oauth2AppsRouter,
  organizations: organizationsRouter,
  portShares: portSharesRouter,
  replicas: replicasRouter,
  provisionerApi: provisionerApiRouter,
  provisionerDaemons: provisionerDaemonsRouter,
  provisionerKeys: provisionerKeysRouter,
  quotas: quotasRouter,
  quietHours: quietHoursRouter,
  roles: rolesRouter,
  savedSearches: savedSearchesRouter,
  scim: scimRouter,
  signOn: signOnRouter,
  templateVersions: templateVersionsRouter,
  templates: templatesRouter,
  tokens: tokensRouter,
  users: usersRouter,
  workspaceProxies: workspaceProxiesRouter,
  workspaceShares: workspaceSharesRouter,
  workspaces: workspacesRouter,
});

export type AppRouter = typeof appRouter;
