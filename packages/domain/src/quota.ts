/** What a build costs per day: the sum over its resources. */
export function dailyCost(resources: readonly { readonly dailyCost: number }[]): number {
  return resources.reduce((sum, resource) => sum + resource.dailyCost, 0);
}

/** What a user may spend per day in an organization: the sum over the groups they are in, the everyone group included. */
export function quotaAllowance(groups: readonly { readonly quotaAllowance: number }[]): number {
  return groups.reduce((sum, group) => sum + group.quotaAllowance, 0);
}

export interface QuotaRequest {
  /** Sum over the latest builds of the owner's workspaces, without the build in question. */
  readonly consumed: number;
  readonly allowance: number;
  readonly cost: number;
  /** Of the same workspace's previous build; null if there is none. */
  readonly previousCost: number | null;
}

/** Whether a build fits the quota. One that makes its workspace cheaper always does, so that nobody is locked into a debt. */
export function quotaAllows({ consumed, allowance, cost, previousCost }: QuotaRequest): boolean {
  const isCheaper = previousCost !== null && cost < previousCost;
  return isCheaper || consumed + cost <= allowance;
}
