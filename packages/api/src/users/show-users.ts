import type { Tx } from '@berth/db';
import { isSiteRoleName } from '@berth/rbac';
import type { User } from './contract.ts';
import type { UserRow } from './presenter.ts';
import { presentUser } from './presenter.ts';

/** Users as the wire shows them, custom roles under the names that their makers gave them. Asks the database only when somebody has one. */
export async function showUsers(db: Tx, rows: readonly UserRow[]): Promise<User[]> {
  const names = new Set(rows.flatMap(({ siteRoles }) => siteRoles).filter((name) => !isSiteRoleName(name)));
  if (names.size === 0) return rows.map((row) => presentUser(row));
  const roles = await db.customRole.findMany({
    where: { organizationId: null, name: { in: [...names] } },
    select: { name: true, displayName: true },
  });
  const displayNames = new Map(roles.map(({ name, displayName }) => [name, displayName === '' ? name : displayName]));
  return rows.map((row) => presentUser(row, displayNames));
}

/** One user, the same way. */
export async function showUser(db: Tx, row: UserRow): Promise<User> {
  const [user] = await showUsers(db, [row]);
  return user ?? presentUser(row);
}
