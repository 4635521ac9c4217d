import { isUuid, newId, notFound } from '@berth/core';
import type { Prisma } from '@berth/db';
import { isUniqueViolation, sameText } from '@berth/db';
import { z } from 'zod';
import { auditedGroup } from '../groups/index.ts';
import type { Call } from '../kernel/procedures.ts';
import { announceRightsOfAll } from '../kernel/rights.ts';
import { changesOfObject, changesOfPatch, isPatch } from './attributes.ts';
import type { ChangeScim, CreateScim, ListScim, ScimGroup, ScimGroupPage, ScimGroupPath, ScimPath } from './contract.ts';
import { SCIM_LIST } from './contract.ts';
import { groupFilter } from './filter-sql.ts';
import type { GroupChange, MemberStep } from './group-changes.ts';
import { groupChange, membersAfter } from './group-changes.ts';
import { groupNameOf } from './group-name.ts';
import type { ScimGroupRow, ShownMember } from './present.ts';
import { MEMBERS_SHOWN, groupDisplayName, presentScimGroup, scimGroupSelect } from './present.ts';
import { ScimRefusal } from './refusals.ts';
import { AUTOMATIC } from './users.ts';

/** The groups that SCIM sees: those of the default organization that identity providers keep. */
async function visibleGroups({ db }: Call): Promise<Prisma.GroupWhereInput & { organizationId: string }> {
  const { id } = await db.organization.findFirstOrThrow({ where: { isDefault: true }, select: { id: true } });
  return { organizationId: id, source: 'oidc', id: { not: id } };
}

/** The groups that match, oldest first; a page of at most 200. Their members are left out where `excludedAttributes` says so. */
export async function listScimGroups(call: Call, input: z.output<typeof ListScim>): Promise<ScimGroupPage> {
  const where: Prisma.GroupWhereInput = { AND: [await visibleGroups(call), groupFilter(input.filter)] };
  const totalResults = await call.db.group.count({ where });
  const rows =
    input.count === 0
      ? []
      : await call.db.group.findMany({
          where,
          select: scimGroupSelect,
          orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
          skip: input.startIndex - 1,
          take: input.count,
        });
  const members = await membersOf(call, showsMembers(input) ? rows.map(({ id }) => id) : []);
  return {
    schemas: [SCIM_LIST],
    totalResults,
    startIndex: input.startIndex,
    itemsPerPage: rows.length,
    Resources: rows.map((row) => presentScimGroup(call.services.settings, row, members.get(row.id) ?? [])),
  };
}

export async function getScimGroup(call: Call, input: z.output<typeof ScimGroupPath>): Promise<ScimGroup> {
  return shown(call, await loadGroup(call, input.id), showsMembers(input));
}

function showsMembers({ excludedAttributes = '' }: { excludedAttributes?: string | undefined }): boolean {
  return !excludedAttributes
    .toLowerCase()
    .split(/[\s,]+/)
    .includes('members');
}

async function shown(call: Call, row: ScimGroupRow, withMembers = true): Promise<ScimGroup> {
  const members = withMembers ? await membersOf(call, [row.id]) : new Map<string, ShownMember[]>();
  return presentScimGroup(call.services.settings, row, members.get(row.id) ?? []);
}

async function membersOf({ db }: Call, groupIds: readonly string[]): Promise<Map<string, ShownMember[]>> {
  const rows = await db.groupMember.findMany({
    where: { groupId: { in: [...groupIds] }, user: { deleted: false } },
    select: { groupId: true, user: { select: { id: true, username: true } } },
    orderBy: [{ groupId: 'asc' }, { userId: 'asc' }],
    take: MEMBERS_SHOWN + 1,
  });
  if (rows.length > MEMBERS_SHOWN) {
    throw new ScimRefusal(
      'tooMany',
      `These are more than ${MEMBERS_SHOWN} members: ask with excludedAttributes=members, or for fewer groups.`,
    );
  }
  const members = new Map<string, ShownMember[]>();
  for (const { groupId, user } of rows) {
    const list = members.get(groupId) ?? [];
    list.push(user);
    members.set(groupId, list);
  }
  return members;
}

async function loadGroup(call: Call, id: string): Promise<ScimGroupRow> {
  const row = isUuid(id)
    ? await call.db.group.findFirst({ where: { AND: [await visibleGroups(call), { id }] }, select: scimGroupSelect })
    : null;
  if (row === null) throw notFound();
  return row;
}

/** Makes a group of the default organization. A name that any of its groups has is a conflict. */
export async function createScimGroup(call: Call, input: z.output<typeof CreateScim>): Promise<ScimGroup> {
  const { organizationId } = await visibleGroups(call);
  const id = newId();
  const change = groupChange(changesOfObject(input.resource, 'replace'));
  if (change.displayName === undefined) throw new ScimRefusal('invalidValue', 'displayName is required.');
  call.audit.set({ resourceId: id, target: change.displayName, organizationId, additionalFields: AUTOMATIC });
  await refuseTakenName(call, { organizationId, displayName: change.displayName, except: null });
  const name = await freeName(call, organizationId, change.displayName);
  const row = await call.db.group
    .create({
      data: {
        id,
        organizationId,
        name,
        displayName: name === change.displayName ? '' : change.displayName,
        source: 'oidc',
        scimExternalId: change.externalId ?? null,
        createdAt: call.services.clock.now(),
      },
      select: scimGroupSelect,
    })
    .catch(refuseTwin);
  const members = await changeMembers(call, row, change.members);
  call.audit.update({ target: name, after: auditedGroup(row, members.after) });
  return shown(call, row);
}

/** Puts a whole resource in the place of what is there; members that it does not list leave. */
export async function replaceScimGroup(call: Call, input: z.output<typeof ChangeScim>): Promise<ScimGroup> {
  const row = await namedGroup(call, input.id, 'write');
  const change = groupChange(changesOfObject(input.resource, 'replace'));
  if (change.displayName === undefined) throw new ScimRefusal('invalidValue', 'displayName is required.');
  return changeGroup(call, row, { ...change, members: change.members.length === 0 ? [{ kind: 'set', userIds: [] }] : change.members });
}

/** Changes parts of a group, by the operations of RFC 7644 or by a plain group object. */
export async function patchScimGroup(call: Call, input: z.output<typeof ChangeScim>): Promise<ScimGroup> {
  const row = await namedGroup(call, input.id, 'write');
  const changes = isPatch(input.resource) ? changesOfPatch(input.resource) : changesOfObject(input.resource, 'replace');
  return changeGroup(call, row, groupChange(changes));
}

export async function deleteScimGroup(call: Call, input: z.output<typeof ScimPath>): Promise<void> {
  const row = await namedGroup(call, input.id, 'delete');
  const members = await currentMembers(call, row.id);
  await call.db.group.delete({ where: { id: row.id }, select: { id: true } });
  await announceRightsOfAll(call, members);
  call.audit.update({ before: auditedGroup(row, members) });
}

async function namedGroup(call: Call, id: string, action: 'write' | 'delete'): Promise<ScimGroupRow> {
  const row = await loadGroup(call, id);
  call.audit.set({ resourceId: row.id, target: row.name, organizationId: row.organizationId, action, additionalFields: AUTOMATIC });
  // Two requests about one group wait for each other, so that neither loses the other's members.
  await call.db.$queryRaw`SELECT 1 FROM groups WHERE id = ${row.id}::uuid FOR UPDATE`;
  return row;
}

async function changeGroup(call: Call, row: ScimGroupRow, change: GroupChange): Promise<ScimGroup> {
  const { displayName, externalId } = change;
  const isRenamed = displayName !== undefined && displayName !== groupDisplayName(row);
  if (isRenamed) await refuseTakenName(call, { organizationId: row.organizationId, displayName, except: row.id });
  const data = {
    // The name stays: templates and settings may refer to it.
    ...(isRenamed ? { displayName } : {}),
    ...(externalId === undefined || externalId === row.scimExternalId ? {} : { scimExternalId: externalId }),
  };
  const after =
    Object.keys(data).length === 0
      ? row
      : await call.db.group.update({ where: { id: row.id }, data, select: scimGroupSelect }).catch(refuseTwin);
  const members = await changeMembers(call, row, change.members);
  if (after === row && !members.hasChanged) call.audit.discard();
  else call.audit.update({ before: auditedGroup(row, members.before), after: auditedGroup(after, members.after) });
  return shown(call, after);
}

/** Carries the steps out. Only members of the organization can join, since a group gives rights there and nowhere else. */
async function changeMembers(call: Call, { id: groupId, organizationId }: ScimGroupRow, steps: readonly MemberStep[]) {
  const before = await currentMembers(call, groupId);
  if (steps.length === 0) return { before, after: before, hasChanged: false };
  const wanted = membersAfter(steps, before);
  const held = new Set(before);
  const added = [...wanted].filter((id) => !held.has(id));
  const removed = before.filter((id) => !wanted.has(id));
  const known = await lockedMembers(call, organizationId, added);
  const unknown = added.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    throw new ScimRefusal('invalidValue', `Not members of the default organization: ${unknown.slice(0, 5).join(', ')}`);
  }
  await call.db.groupMember.createMany({ data: added.map((userId) => ({ groupId, userId })), skipDuplicates: true });
  await call.db.groupMember.deleteMany({ where: { groupId, userId: { in: removed } } });
  if (added.length + removed.length > 0) await announceRightsOfAll(call, [...added, ...removed]);
  return { before, after: [...wanted].toSorted(), hasChanged: added.length + removed.length > 0 };
}

const Ids = z.array(z.object({ user_id: z.string() }));

/** Those of the users who are members, and stay so until the transaction ends: nobody joins a group of an organization as they leave it. */
async function lockedMembers({ db }: Call, organizationId: string, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.$queryRaw`
    SELECT m.user_id::text FROM organization_members m JOIN users u ON u.id = m.user_id AND NOT u.deleted
    WHERE m.organization_id = ${organizationId}::uuid AND m.user_id = ANY (${[...userIds]}::uuid[])
    ORDER BY m.user_id FOR SHARE OF m`;
  return new Set(Ids.parse(rows).map(({ user_id: userId }) => userId));
}

async function currentMembers({ db }: Call, groupId: string): Promise<string[]> {
  const rows = await db.groupMember.findMany({ where: { groupId }, select: { userId: true }, orderBy: { userId: 'asc' } });
  return rows.map(({ userId }) => userId);
}

interface TakenName {
  readonly organizationId: string;
  readonly displayName: string;
  readonly except: string | null;
}

async function refuseTakenName({ db }: Call, { organizationId, displayName, except }: TakenName): Promise<void> {
  const text = sameText(displayName);
  const twin = await db.group.findFirst({
    where: {
      organizationId,
      ...(except === null ? {} : { id: { not: except } }),
      OR: [{ displayName: text }, { name: text, displayName: '' }],
    },
    select: { id: true },
  });
  if (twin !== null) throw new ScimRefusal('uniqueness', 'The organization has a group of this name.');
}

const NAME_TRIES = 100;

/** A name for the group that no other has; numbered when different display names come down to one. */
async function freeName({ db }: Call, organizationId: string, displayName: string): Promise<string> {
  const base = groupNameOf(displayName);
  const names = [base, ...Array.from({ length: NAME_TRIES }, (_, index) => `${base}-${index + 2}`)];
  const taken = await db.group.findMany({ where: { organizationId, name: { in: names } }, select: { name: true } });
  const free = names.find((name) => taken.every((row) => row.name !== name));
  if (free === undefined) throw new ScimRefusal('uniqueness', 'The organization has too many groups of this name.');
  return free;
}

function refuseTwin(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  throw new ScimRefusal('uniqueness', 'The organization has a group of this name or external id.');
}
