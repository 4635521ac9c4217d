import type { CompiledLevel, Verdict } from './compiled-role.ts';
import { compileRole, verdict } from './compiled-role.ts';
import type { Permission } from './resources.ts';
import { PERMISSIONS } from './resources.ts';
import type { Role } from './roles.ts';
import { IMPLIED_ORGANIZATION_ROLE, IMPLIED_SITE_ROLE } from './roles.ts';
import { compiledScope } from './scopes.ts';
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

/**
 * Whether `actor` may do in one organization everything that `target` was given there, by roles of the organization or of the site: what
 * counts for acting on a member as a member. What the target may do in other organizations does not.
 */
export function coversRightsIn(actor: Subject, { target, organizationId }: { target: Subject; organizationId: string }): boolean {
  const everyone = { ...target, roles: [], organizations: new Map([[organizationId, []]]) };
  return PERMISSIONS.every((permission) => {
    const isGranted = (subject: Subject): boolean => verdictIn(subject, { permission, organizationId }) === 1;
    return !isGranted(target) || isGranted(everyone) || isGranted(actor);
  });
}

/** What a subject's roles say about everything in an organization, whoever owns it. */
function verdictIn(subject: Subject, { permission, organizationId }: { permission: Permission; organizationId: string }): Verdict {
  const { site, organizations } = resolveSubject(subject);
  const atSite = verdict(site, permission);
  return atSite === 0 ? verdict(organizations.get(organizationId) ?? [], permission) : atSite;
}

/**
 * Whether `actor` holds every permission that `role` would grant in its place (an organization, or the site for null), with the
 * credential in use: so that defining or giving a role cannot be a way to more rights. What a role grants over its holder's own things
 * the actor must hold over their own things, or over everybody's.
 */
export function coversRole(actor: Subject, role: Role, organizationId: string | null): boolean {
  const mine = resolveSubject(actor);
  const theirs = compileRole(role);
  const scope = compiledScope(actor.scope);
  const inOrganization = organizationId === null ? [] : mine.organizations.get(organizationId);
  // Who left an organization, or never joined, has no hold on things of their own there.
  const reachesOwn = (permission: string): boolean =>
    inOrganization !== undefined && verdict(inOrganization, permission) !== -1 && verdict(mine.user, permission) === 1;
  return PERMISSIONS.every((permission) => {
    const grants = (level: CompiledLevel): boolean => level.get(permission) === 1;
    const atSite = grants(theirs.site);
    // Permissions of the organization level mean nothing in a role of the site.
    const atOrganization = organizationId !== null && grants(theirs.organization);
    const overOwn = grants(theirs.user);
    if (!atSite && !atOrganization && !overOwn) return true;
    if (scope.onlyIds !== null || scope.permissions.get(permission) !== 1) return false;
    const mySite = verdict(mine.site, permission);
    if (mySite !== 0) return mySite === 1;
    if (atSite) return false;
    if (atOrganization && verdict(inOrganization ?? [], permission) !== 1) return false;
    return !overOwn || reachesOwn(permission);
  });
}
