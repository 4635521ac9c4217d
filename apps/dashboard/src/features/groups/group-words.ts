import { counted } from '@berth/core';
import type { Outputs } from '../../api/trpc.ts';

export type Group = Outputs['groups']['list'][number];

/** The group that holds all members of its organization has the organization's id. */
export function isEveryone(group: Pick<Group, 'id' | 'organization_id'>): boolean {
  return group.id === group.organization_id;
}

export function groupTitle({ name, display_name: title }: Pick<Group, 'name' | 'display_name'>): string {
  return title === '' ? name : title;
}

/** Members as a count, and how many of them the caller may not see. */
export function memberCount({ members, total_member_count: total }: Pick<Group, 'members' | 'total_member_count'>): string {
  const hidden = total - members.length;
  const all = counted(total, 'member');
  return hidden > 0 ? `${all}, ${hidden.toLocaleString('en')} of them hidden from you` : all;
}
