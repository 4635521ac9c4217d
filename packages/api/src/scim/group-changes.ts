import { isUuid } from '@berth/core';
import type { AttributeChange } from './attributes.ts';
import { isObject, property, textOf } from './attributes.ts';
import { MEMBERS_MAX } from './contract.ts';
import type { FilterTree } from './filter-syntax.ts';
import { elementPasses } from './filter-syntax.ts';
import { ScimRefusal } from './refusals.ts';

/** One step of a change of members; steps are taken in order. */
export type MemberStep =
  | { readonly kind: 'add' | 'remove' | 'set'; readonly userIds: readonly string[] }
  | { readonly kind: 'removeWhere'; readonly filter: FilterTree };

export interface GroupChange {
  readonly displayName?: string;
  readonly externalId?: string | null;
  readonly members: readonly MemberStep[];
}

const DISPLAY_NAME_LENGTH = 255;
const CONTROL = /\p{Cc}/u;

/** Reads changes of attributes as those of a group. Attributes that Berth does not keep are passed over. */
export function groupChange(changes: readonly AttributeChange[]): GroupChange {
  let change: GroupChange = { members: [] };
  for (const item of changes) change = { ...change, ...changeOf(item, change.members) };
  const named = change.members.reduce((count, step) => count + ('userIds' in step ? step.userIds.length : 0), 0);
  if (named > MEMBERS_MAX) throw new ScimRefusal('tooMany', `One request names at most ${MEMBERS_MAX} members.`, 'too_large');
  return change;
}

function changeOf(change: AttributeChange, steps: readonly MemberStep[]): Partial<GroupChange> {
  const { attribute, op, value, isNamed } = change;
  switch (attribute) {
    case 'displayname':
      if (op === 'remove') throw new ScimRefusal('mutability', 'displayName cannot be removed.');
      return { displayName: displayNameOf(value) };
    case 'externalid':
      return { externalId: op === 'remove' || value === '' ? null : textOf(value, 'externalId', 512) };
    case 'members':
    case 'members.value':
      return { members: [...steps, memberStep(change)] };
    case 'id':
    case 'meta':
      if (isNamed) throw new ScimRefusal('mutability', `${attribute} is set by the server.`);
      return {};
    default:
      return {};
  }
}

function displayNameOf(value: unknown): string {
  const name = textOf(value, 'displayName', DISPLAY_NAME_LENGTH).trim();
  if (name === '' || CONTROL.test(name)) throw new ScimRefusal('invalidValue', 'displayName must be a text without control characters.');
  return name;
}

function memberStep({ op, value, element }: AttributeChange): MemberStep {
  if (element !== null) {
    if (op !== 'remove') throw new ScimRefusal('invalidPath', 'Members are added and replaced as a list, without a filter.');
    return { kind: 'removeWhere', filter: element };
  }
  if (op === 'remove') {
    return value === undefined || value === null ? { kind: 'set', userIds: [] } : { kind: 'remove', userIds: userIdsOf(value) };
  }
  return { kind: op === 'replace' ? 'set' : 'add', userIds: userIdsOf(value) };
}

function userIdsOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((item) => {
    const id = isObject(item) ? property(item, 'value') : item;
    if (typeof id !== 'string' || !isUuid(id)) {
      throw new ScimRefusal('invalidValue', 'Each member must have the id of a user as its value.');
    }
    return id.toLowerCase();
  });
}

/** Who is in the group after the steps, in no order. */
export function membersAfter(steps: readonly MemberStep[], current: readonly string[]): Set<string> {
  let members = new Set(current);
  for (const step of steps) {
    switch (step.kind) {
      case 'set':
        members = new Set(step.userIds);
        break;
      case 'add':
        members = new Set([...members, ...step.userIds]);
        break;
      case 'remove':
        for (const id of step.userIds) members.delete(id);
        break;
      case 'removeWhere':
        members = new Set([...members].filter((id) => !elementPasses(step.filter, { value: id, type: 'User' })));
        break;
    }
  }
  return members;
}
