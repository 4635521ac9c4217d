export { readableMembers } from './member-rows.ts';
