export { auditedUser } from './audit.ts';
export { UserPath } from './contract.ts';
export { insertUser } from './insert-user.ts';
export type { ReducedUserRow, UserRow } from './presenter.ts';
export { presentReducedUser, presentUser, reducedUserSelect, userSelect } from './presenter.ts';
export { holdUser, isLastOwner, requireCover } from './protect.ts';
export { resolveUser } from './resolve-user.ts';
export { showUsers } from './show-users.ts';
export { setUserStatus } from './set-status.ts';
