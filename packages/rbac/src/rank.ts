import { PERMISSIONS } from './resources.ts';
import { IMPLIED_ORGANIZATION_ROLE, IMPLIED_SITE_ROLE } from './roles.ts';
import { verdict } from './compiled-role.ts';
import type { Subject } from './subject.ts';
import { resolveSubject } from './subject.ts';

/**
 * Whether `actor` holds everything that `target` was given by roles, so that acting on the target (its password, its status) cannot
 * be a way to more rights. What every user and every member has anyway is not counted.
 */
export function coversRightsOf(actor: Subject, target: Subject): boolean {
  const mine = resolveSubject(actor);
  const theirs = resolveSubject(target);
  const common = resolveSubject({
    ...target,
    roles: [IMPLIED_SITE_ROLE],
    organizations: new Map([...target.organizations.keys()].map((id) => [id, [IMPLIED_ORGANIZATION_ROLE]])),
  });
  return PERMISSIONS.every((permission) => {
    const mySite = verdict(mine.site, permission);
    if (mySite === 1) return true;
    if (verdict(theirs.site, permission) === 1 && verdict(common.site, permission) !== 1) return false;
    return [...theirs.organizations].every(([organizationId, levels]) => {
      if (verdict(levels, permission) !== 1) return true;
      if (verdict(common.organizations.get(organizationId) ?? [], permission) === 1) return true;
      return mySite === 0 && verdict(mine.organizations.get(organizationId) ?? [], permission) === 1;
    });
  });
}
