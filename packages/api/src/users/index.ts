export { UserPath } from './contract.ts';
export type { ReducedUserRow, UserRow } from './presenter.ts';
export { presentReducedUser, reducedUserSelect } from './presenter.ts';
export { resolveUser } from './resolve-user.ts';
