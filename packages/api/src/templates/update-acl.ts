import type { Validation } from '@berth/core';
import { forbidden, invalid, isUuid } from '@berth/core';
import type { Template } from '@berth/db';
import type { ObjectRef } from '@berth/rbac';
import { RESOURCE_ACTIONS } from '@berth/rbac';
import { templateChannel } from '../kernel/channels.ts';
import type { Confirmation } from '../kernel/confirmation.ts';
import { confirmed } from '../kernel/confirmation.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { Acl } from './acl.ts';
import { trackedTemplate } from './audit.ts';
import type { TemplateRole, UpdateTemplateAclInput } from './contract.ts';
import { holdTemplate } from './judged-template.ts';
import { ACTIONS_OF_ROLE, assignableUsers, roleOf } from './read-acl.ts';

/**
 * Gives and takes access to a template by user and by group; who is not named keeps what they have. All that is wrong is said at once,
 * and then nothing changes. What is open on the template ends for those who lose their access.
 *
 * @throws invalid for ids that name nobody whom the caller may give access, and for groups of other organizations; forbidden for `admin`
 * by somebody who cannot do everything with the template themselves.
 */
export async function updateTemplateAcl(call: UserCall, input: UpdateTemplateAclInput): Promise<Confirmation> {
  const { db, services } = call;
  const { template, object } = await holdTemplate(db, input.template);
  call.audit.set({ resourceId: template.id, target: template.name, icon: template.icon, organizationId: template.organizationId });
  call.authorize.require(object);

  const [users, groups] = [changesOf('user_perms', input.user_perms), changesOf('group_perms', input.group_perms)];
  const [userAcl, groupAcl] = [Acl.parse(template.userAcl), Acl.parse(template.groupAcl)];
  const problems = [
    ...users.problems,
    ...groups.problems,
    ...(await unknownUsers(call, template, given(users, userAcl))),
    ...(await unknownGroups(call, template, given(groups, groupAcl))),
  ];
  if (problems.length > 0) throw invalid('Validation failed.', problems);
  requireCover(call, object, userAcl, users);
  requireCover(call, object, groupAcl, groups);

  const updated = await db.template.update({
    where: { id: template.id },
    data: { userAcl: changed(userAcl, users), groupAcl: changed(groupAcl, groups), updatedAt: services.clock.now() },
  });
  call.audit.update({ before: trackedTemplate(template), after: trackedTemplate(updated) });
  await services.bus.publish(db, templateChannel, { template_id: template.id });
  return confirmed('The access to the template is changed.');
}

interface Changes {
  readonly roles: ReadonlyMap<string, TemplateRole>;
  readonly problems: readonly Validation[];
}

function changesOf(field: string, perms: Readonly<Record<string, TemplateRole>> = {}): Changes {
  const entries = Object.entries(perms);
  return {
    roles: new Map(entries.filter(([id]) => isUuid(id)).map(([id, role]) => [id.toLowerCase(), role])),
    problems: entries.filter(([id]) => !isUuid(id)).map(([id]) => ({ field: `${field}.${id}`, detail: 'Must be an id.' })),
  };
}

/** Whoever is in the list can always be taken out of it. */
function given({ roles }: Changes, acl: Acl): string[] {
  return [...roles].filter(([id, role]) => role !== '' || acl[id] === undefined).map(([id]) => id);
}

async function unknownUsers(call: UserCall, template: Template, ids: readonly string[]): Promise<Validation[]> {
  const rows = await call.db.user.findMany({
    where: { AND: [{ id: { in: [...ids] } }, assignableUsers(call, template.organizationId)] },
    select: { id: true },
  });
  const known = new Set(rows.map((row) => row.id));
  return ids.filter((id) => !known.has(id)).map((id) => ({ field: `user_perms.${id}`, detail: 'There is no such user.' }));
}

async function unknownGroups(call: UserCall, template: Template, ids: readonly string[]): Promise<Validation[]> {
  const rows = await call.db.group.findMany({
    where: { id: { in: [...ids] }, organizationId: template.organizationId },
    select: { id: true },
  });
  const known = new Set(rows.map((row) => row.id));
  return ids
    .filter((id) => !known.has(id))
    .map((id) => ({ field: `group_perms.${id}`, detail: 'There is no such group in the organization of the template.' }));
}

/** `admin` is every action, so nobody gives it (to themselves, for one) who may only do some of them. */
function requireCover(call: UserCall, object: ObjectRef<'template'>, acl: Acl, { roles }: Changes): void {
  const givesAll = [...roles].some(([id, role]) => role === 'admin' && roleOf(acl[id]) !== 'admin');
  if (givesAll && !RESOURCE_ACTIONS.template.every((action) => call.authorize.can(action, object))) {
    throw forbidden('Only somebody who may do everything with the template can give the role admin.');
  }
}

function changed(acl: Acl, { roles }: Changes): Acl {
  const after = new Map(Object.entries(acl));
  for (const [id, role] of roles) {
    if (role === '') after.delete(id);
    else after.set(id, [...ACTIONS_OF_ROLE[role]]);
  }
  return Object.fromEntries(after);
}
