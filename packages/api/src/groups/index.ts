export { auditedGroup } from './audit.ts';
export { groupMemberIds, isEveryone } from './group-rows.ts';
