export { claimFields, readClaim } from './claims.ts';
export type * from './model.ts';
export { SYNC_CHANGES, SYNC_KINDS, SYNC_OUTCOMES, SYNC_RULES, SYNC_STATUSES } from './model.ts';
export { planIdpSync } from './plan.ts';
