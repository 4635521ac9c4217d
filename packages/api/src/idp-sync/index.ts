export type { SignInFacts } from './apply.ts';
export { applyIdpSync } from './apply.ts';
export { isGroupSynced, isOrganizationSynced, isRoleSynced, readOrganizationSync } from './settings.ts';
