import type { Validation } from '@berth/core';
import { conflict } from '@berth/core';
import type { Tx } from '@berth/db';
import { sameText } from '@berth/db';
import { nameProblem, passwordProblem } from '@berth/domain';

/** The rules of a new account's fields, all broken ones at once. A null password is not checked. */
export function newUserProblems(user: { email: string; username: string; name: string; password: string | null }): Validation[] {
  const problems: [string, string | null][] = [
    ['email', nameProblem('email', user.email)],
    ['username', nameProblem('name', user.username)],
    ['name', nameProblem('real_name', user.name)],
    ['password', user.password === null ? null : passwordProblem(user.password)],
  ];
  return problems.flatMap(([field, detail]) => (detail === null ? [] : [{ field, detail }]));
}

/** Refuses an e-mail address or user name that a living account other than `exceptId` has, whatever its case. */
export async function refuseTakenNames(db: Tx, user: { email?: string; username: string }, exceptId?: string): Promise<void> {
  const { email, username } = user;
  const taken = await db.user.findMany({
    where: {
      deleted: false,
      OR: [{ username: sameText(username) }, ...(email === undefined ? [] : [{ email: sameText(email) }])],
      ...(exceptId === undefined ? {} : { id: { not: exceptId } }),
    },
    select: { email: true, username: true },
  });
  if (taken.length === 0) return;
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
  const validations: Validation[] = [];
  if (email !== undefined && taken.some((row) => same(row.email, email))) {
    validations.push({ field: 'email', detail: 'is already used by another account' });
  }
  if (taken.some((row) => same(row.username, username))) validations.push({ field: 'username', detail: 'is already taken' });
  throw conflict(`An account with this ${email === undefined ? '' : 'e-mail address or '}user name exists.`, validations);
}
