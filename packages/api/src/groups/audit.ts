/** What the audit log tracks of a group. */
export function auditedGroup(
  group: { id: string; name: string; displayName: string; avatarUrl: string; quotaAllowance: number },
  memberIds: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  return {
    id: group.id,
    name: group.name,
    display_name: group.displayName,
    avatar_url: group.avatarUrl,
    quota_allowance: group.quotaAllowance,
    members: memberIds,
  };
}
