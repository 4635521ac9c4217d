export { Group } from './contract.ts';
export type { GroupFacts, GroupRow } from './group-rows.ts';
export { findGroups, readableGroups } from './group-rows.ts';
export { presentGroup } from './presenter.ts';
