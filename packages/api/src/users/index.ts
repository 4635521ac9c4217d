export { ReducedUser, SlimRole, User, UserPath } from './contract.ts';
export type { ReducedUserRow, UserRow } from './presenter.ts';
export { presentReducedUser, presentUser, reducedUserSelect, userSelect } from './presenter.ts';
export { resolveUser } from './resolve-user.ts';
