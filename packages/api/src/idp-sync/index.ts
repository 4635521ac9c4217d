export type { SignInFacts, SyncCall } from './apply.ts';
export { applyIdpSync } from './apply.ts';
export { isGroupSynced, isOrganizationSynced, isRoleSynced } from './settings.ts';
