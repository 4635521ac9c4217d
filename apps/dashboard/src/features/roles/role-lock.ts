import type { AssignableRole } from './role-words.ts';

interface Facts {
  readonly isMe: boolean;
  /** Whether the caller may give roles here at all; undefined while that is not known. */
  readonly mayAssign: boolean | undefined;
  readonly roles: readonly AssignableRole[];
}

/** Why somebody's roles cannot be changed by the caller, or undefined when some can be. */
export function roleLock({ isMe, mayAssign, roles }: Facts): string | undefined {
  if (isMe) return 'Nobody changes their own roles: ask another administrator.';
  if (mayAssign === false) return 'You may see these roles, and not give or take them.';
  return roles.some(({ assignable }) => assignable) ? undefined : 'None of the roles here is yours to give or take.';
}

/** Whether two sets of roles differ, whatever their order. */
export function rolesDiffer(a: readonly string[], b: readonly string[]): boolean {
  return a.length !== b.length || a.some((name) => !b.includes(name));
}
