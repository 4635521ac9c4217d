import type { Explained, ObjectRef, Reason, RolePlace } from '@berth/rbac';
import { groupObject, IMPLIED_ORGANIZATION_ROLE, IMPLIED_SITE_ROLE, organizationObject } from '@berth/rbac';
import type { UserCall } from '../kernel/procedures.ts';
import type { MinimalOrganization } from '../organizations/contract.ts';
import { presentHeldRole } from '../roles/index.ts';
import type { UserRow } from '../users/index.ts';
import type { Explanation, ExplanationReason } from './contract.ts';

interface Answer {
  readonly user: UserRow;
  readonly action: string;
  readonly object: ObjectRef<string>;
  readonly isSuspended: boolean;
  readonly explained: Explained;
  readonly wouldGrant: readonly RolePlace[];
}

/** Puts an explanation into words. Organizations and groups that the caller may not read stay nameless, and so do the roles held there. */
export async function presentExplanation(call: UserCall, answer: Answer): Promise<Explanation> {
  const { action, explained, isSuspended, object, user, wouldGrant } = answer;
  const words = await readWords(call, answer);
  const allowed = explained.allowed && !isSuspended;
  const what = `${action} ${object.type.replaceAll('_', ' ')}`;
  const reasons = isSuspended ? [suspended(user)] : explained.reasons.map((reason) => presentReason(reason, { user, words }));
  return {
    allowed,
    sentence: `${user.username} ${allowed ? 'may' : 'may not'} do this: ${what}.`,
    reasons,
    granting_roles: wouldGrant.map((place) => words.role(place)).filter((role) => role !== null),
  };
}

type Shown = Pick<ExplanationReason, 'role' | 'organization' | 'group'>;

interface Words {
  role(place: RolePlace): NonNullable<Shown['role']> | null;
  organization(id: string | null): MinimalOrganization | null;
  group(id: string | null): Shown['group'];
}

function presentReason(reason: Reason, { user, words }: { user: UserRow; words: Words }): ExplanationReason {
  const shown: Shown = {
    role: reason.role === null ? null : words.role(reason.role),
    organization: words.organization(reason.organizationId ?? reason.role?.organizationId ?? null),
    group: words.group(reason.groupId),
  };
  const effect = ['scope', 'negated', 'not_a_member', 'no_grant'].includes(reason.kind) ? 'refuses' : 'grants';
  return { kind: reason.kind, effect, sentence: sentenceOf(reason, { ...shown, username: user.username }), ...shown };
}

function sentenceOf({ kind, role: place }: Reason, { group, organization, role, username }: Shown & { username: string }): string {
  const where = organization === null ? 'an organization that you may not read' : organization.display_name;
  const named = place === null ? '' : roleInWords(place, { role, where });
  switch (kind) {
    case 'site_role':
    case 'organization_role':
    case 'custom_role':
      return `${capital(named)} grants it.`;
    case 'ownership':
      return `It belongs to ${username}, and ${named} grants it over what one owns.`;
    case 'user_acl':
      return `Its own list of people gives it to ${username}.`;
    case 'group_acl':
      return `Its own list of groups gives it to ${group === null ? 'a group that you may not read' : `the group ${shownGroup(group)}`}.`;
    case 'everyone_group':
      return `Its own list of groups gives it to everyone in ${where}.`;
    case 'scope':
      return 'The key in use does not carry it.';
    case 'negated':
      return `${capital(named)} takes it away.`;
    case 'not_a_member':
      return organization === null
        ? `${username} is not a member of the organization.`
        : `${username} is not a member of ${where}, so ownership and groups do not count there.`;
    case 'no_grant':
      return `No role, group or list gives it to ${username}.`;
  }
}

function roleInWords({ role: name, organizationId }: RolePlace, { role, where }: { role: Shown['role']; where: string }): string {
  if (name === IMPLIED_SITE_ROLE && organizationId === null) return 'being a user';
  if (name === IMPLIED_ORGANIZATION_ROLE) return `being a member of ${where}`;
  if (role === null) return `a role in ${where}`;
  return organizationId === null ? `the role ${role.display_name}` : `the role ${role.display_name} in ${where}`;
}

function shownGroup(group: NonNullable<Shown['group']>): string {
  return group.display_name === '' ? group.name : group.display_name;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function suspended(user: UserRow): ExplanationReason {
  const sentence = `${user.username} is suspended, and so may do nothing.`;
  return { kind: 'suspended', effect: 'refuses', sentence, role: null, organization: null, group: null };
}

/** The names behind the ids of an answer, as far as the caller may read them. */
async function readWords(call: UserCall, { explained, wouldGrant }: Answer): Promise<Words> {
  const places = [...wouldGrant, ...explained.reasons.flatMap(({ role }) => role ?? [])];
  const organizationIds = [...places, ...explained.reasons].flatMap(({ organizationId }) => organizationId ?? []);
  const groupIds = explained.reasons.flatMap(({ groupId }) => groupId ?? []);
  const [organizations, groups, customRoles] = await Promise.all([
    call.db.organization.findMany({
      where: { id: { in: organizationIds } },
      select: { id: true, name: true, displayName: true, icon: true },
    }),
    call.db.group.findMany({ where: { id: { in: groupIds } }, select: { id: true, organizationId: true, name: true, displayName: true } }),
    call.db.customRole.findMany({
      where: { OR: [{ organizationId: null }, { organizationId: { in: organizationIds } }] },
      select: { organizationId: true, name: true, displayName: true },
    }),
  ]);
  const readable = organizations.filter(({ id }) => call.authorize.can('read', organizationObject(id)));
  return {
    organization: (id) => {
      const row = readable.find((one) => one.id === id);
      return row === undefined ? null : { id: row.id, name: row.name, display_name: row.displayName, icon: row.icon };
    },
    group: (id) => {
      const row = groups.find((one) => one.id === id);
      if (row === undefined || !call.authorize.can('read', groupObject(row))) return null;
      return { id: row.id, name: row.name, display_name: row.displayName };
    },
    role: ({ role, organizationId }) => {
      if (organizationId !== null && !readable.some(({ id }) => id === organizationId)) return null;
      const own = customRoles.filter((one) => one.organizationId === organizationId);
      const displayNames = new Map(own.map((one) => [one.name, one.displayName === '' ? one.name : one.displayName]));
      const held = presentHeldRole(role, { organizationId, displayNames });
      // Every member has it, so that nobody is shown it elsewhere.
      return role === IMPLIED_ORGANIZATION_ROLE ? { ...held, display_name: 'Member' } : held;
    },
  };
}
