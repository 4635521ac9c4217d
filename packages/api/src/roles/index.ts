export { presentHeldRole, shownName } from './presenter.ts';
export type { CustomRole } from './role-rows.ts';
export { customRoleNames, listCustomRoles, lockCustomRoles, roleDefinition } from './role-rows.ts';
