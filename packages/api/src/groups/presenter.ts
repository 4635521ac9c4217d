import type { GroupSource } from '@berth/domain';
import { presentReducedUser } from '../users/index.ts';
import type { Group } from './contract.ts';
import type { GroupFacts } from './group-rows.ts';

export function presentGroup({ group, members, totalMemberCount }: GroupFacts): Group {
  return {
    id: group.id,
    name: group.name,
    display_name: group.displayName,
    avatar_url: group.avatarUrl,
    quota_allowance: group.quotaAllowance,
    members: members.map(presentReducedUser),
    total_member_count: totalMemberCount,
    organization_id: group.organizationId,
    organization_name: group.organization.name,
    organization_display_name: group.organization.displayName,
    // The column carries a check constraint with these very values.
    source: group.source as GroupSource,
  };
}
