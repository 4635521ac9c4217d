import type { Prisma } from '@berth/db';
import type { UserCall } from '../kernel/procedures.ts';
import { findGroups } from '../groups/group-rows.ts';
import { presentGroup } from '../groups/presenter.ts';
import { presentReducedUser, reducedUserSelect, showUsers, userSelect } from '../users/index.ts';
import { Acl } from './acl.ts';
import type { AclAvailable, AvailableAclInput, TemplateAcl, TemplateInput, TemplateRole, TemplateUser } from './contract.ts';
import { findTemplate } from './judged-template.ts';

/** What each role stands for in the columns. */
export const ACTIONS_OF_ROLE: Readonly<Record<Exclude<TemplateRole, ''>, readonly string[]>> = { use: ['read'], admin: ['*'] };

export function roleOf(actions: readonly string[] | undefined): TemplateRole {
  if (actions === undefined || actions.length === 0) return '';
  return actions.includes('*') ? 'admin' : 'use';
}

/** Who was given access to the template: living users by name, and groups of its organization. */
export async function getTemplateAcl(call: UserCall, input: TemplateInput): Promise<TemplateAcl> {
  const { template, object } = await findTemplate(call.db, input.template);
  call.authorize.require(object);
  const groupAcl = Acl.parse(template.groupAcl);
  const groups = await findGroups(
    call.db,
    { id: { in: Object.keys(groupAcl) }, organizationId: template.organizationId },
    call.authorize.scope('group_member:read'),
  );
  return {
    users: await aclUsers(call, Acl.parse(template.userAcl)),
    group: groups.map((found) => ({ ...presentGroup(found), role: roleOf(groupAcl[found.group.id]) })),
  };
}

/** The users of the same. */
export async function listAclUsers(call: UserCall, input: TemplateInput): Promise<TemplateUser[]> {
  const { template, object } = await findTemplate(call.db, input.template);
  call.authorize.require(object);
  return aclUsers(call, Acl.parse(template.userAcl));
}

async function aclUsers(call: UserCall, acl: Acl): Promise<TemplateUser[]> {
  const rows = await call.db.user.findMany({
    where: { id: { in: Object.keys(acl) }, deleted: false },
    select: userSelect,
    orderBy: { username: 'asc' },
  });
  const users = await showUsers(call.db, rows);
  return users.map((user) => ({ ...user, role: roleOf(acl[user.id]) }));
}

/**
 * Who can be given access: living members of the template's organization and users that the caller may read, by name, and the
 * groups of the organization. Whoever may change the access may see whom to give it to.
 */
export async function listAvailableAcl(call: UserCall, input: AvailableAclInput): Promise<AclAvailable[]> {
  const { template, object } = await findTemplate(call.db, input.template);
  call.authorize.require(object);
  const { organizationId } = template;
  const q = input.q?.trim() ?? '';
  const has = { contains: escapeLike(q), mode: 'insensitive' } as const;
  const users = await call.db.user.findMany({
    where: {
      AND: [assignableUsers(call, organizationId), q === '' ? {} : { OR: [{ username: has }, { email: has }, { name: has }] }],
    },
    select: reducedUserSelect,
    orderBy: [{ username: 'asc' }, { id: 'asc' }],
    take: input.limit,
    skip: input.offset,
  });
  const groups = await findGroups(
    call.db,
    { organizationId, ...(q === '' ? {} : { OR: [{ name: has }, { displayName: has }] }) },
    call.authorize.scope('group_member:read'),
  );
  return [{ users: users.map(presentReducedUser), groups: groups.map(presentGroup) }];
}

/** The users that the caller may name in the access of a template of this organization. */
export function assignableUsers(call: UserCall, organizationId: string): Prisma.UserWhereInput {
  const { everything, onlyIds, ownerIn } = call.authorize.scope('user:read');
  const only: Prisma.UserWhereInput = onlyIds === null ? {} : { id: { in: [...onlyIds] } };
  if (everything && onlyIds === null) return { deleted: false };
  const readable: Prisma.UserWhereInput = everything ? only : { AND: [only, { id: { in: ownerIn === null ? [] : [ownerIn.ownerId] } }] };
  return { deleted: false, OR: [{ memberships: { some: { organizationId } } }, readable] };
}

/** LIKE's own signs stand for themselves. */
function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
