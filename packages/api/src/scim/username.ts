import { NAME_LENGTH, nameProblem } from '@berth/domain';
import { randomToken } from '@berth/core/secrets';

const TRIES = 20;

/** A user name made of what a provider calls somebody, that nobody has: `ada.l@example.com` becomes `ada-l`, or `ada-l-x7f3q` when taken. */
export async function freeUsername(userName: string, isTaken: (name: string) => Promise<boolean>): Promise<string> {
  const base = (userName.split('@')[0] ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
    .slice(0, NAME_LENGTH - 6)
    .replace(/-$/, '');
  const start = nameProblem('name', base) === null ? base : 'user';
  if (start === base && !(await isTaken(base))) return base;
  for (let tries = 0; tries < TRIES; tries++) {
    const name = `${start}-${randomToken(5).toLowerCase()}`;
    if (!(await isTaken(name))) return name;
  }
  throw new Error('no free user name was found');
}
