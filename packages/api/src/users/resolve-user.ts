import { isUuid, notFound } from '@berth/core';
import { sameText } from '@berth/db';
import { userObject } from '@berth/rbac';
import type { UserCall } from '../kernel/procedures.ts';
import type { UserRow } from './presenter.ts';
import { userSelect } from './presenter.ts';

/**
 * The user that a `{user}` path parameter names: `me`, an id or a user name (never an e-mail). Unknown, deleted and unreadable
 * users all answer 404. Does not ask for the procedure's own permission.
 */
export async function resolveUser(call: Pick<UserCall, 'db' | 'principal' | 'authorize'>, param: string): Promise<UserRow> {
  const where = param === 'me' ? { id: call.principal.userId } : isUuid(param) ? { id: param } : { username: sameText(param) };
  const row = await call.db.user.findFirst({ where: { ...where, deleted: false }, select: userSelect });
  if (row === null || !call.authorize.can('read', userObject(row.id))) throw notFound();
  return row;
}
