import type { SiteRights } from './use-permissions.ts';

/** Of somebody who may do nothing in particular; tests add what they are about. */
export const NO_RIGHTS: SiteRights = {
  readUsers: false,
  createUsers: false,
  readMembers: false,
  createOrganizations: false,
  createTemplates: false,
  createGroups: false,
  defineSiteRoles: false,
  assignSiteRoles: false,
  readSync: false,
  readAnySync: false,
  writeSync: false,
  writeOAuth2Apps: false,
  readConfig: false,
  writeConfig: false,
  readHealth: false,
  readDeploymentStats: false,
  writeProxies: false,
  runProvisioners: false,
  readAllTokens: false,
  viewInsights: false,
};
