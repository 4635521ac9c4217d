import type { Transition } from './enums.ts';

/** What a build costs per day: the sum over its resources. */
export function dailyCost(resources: readonly { readonly dailyCost: number }[]): number {
  return resources.reduce((sum, resource) => sum + resource.dailyCost, 0);
}

/** What a user may spend per day in an organization: the sum over the groups they are in, the everyone group included. */
export function quotaAllowance(groups: readonly { readonly quotaAllowance: number }[]): number {
  return groups.reduce((sum, group) => sum + group.quotaAllowance, 0);
}

/** How the error of a build begins that did not fit the quota: clients know it by this. */
export const INSUFFICIENT_QUOTA = 'insufficient quota';

export interface QuotaRequest {
  readonly transition: Transition;
  /** Sum over the owner's other workspaces, without the one that is built. */
  readonly consumed: number;
  readonly allowance: number;
  readonly cost: number;
  /** What the same workspace costs until now; null if it was never built. */
  readonly previousCost: number | null;
}

/**
 * Whether a build fits the quota. What costs nothing, stops or deletes, or makes its workspace cheaper always does, so that nobody is
 * locked into a debt.
 */
export function quotaAllows({ transition, consumed, allowance, cost, previousCost }: QuotaRequest): boolean {
  if (transition !== 'start' || cost === 0) return true;
  const isCheaper = previousCost !== null && cost < previousCost;
  return isCheaper || consumed + cost <= allowance;
}

/** Names what a refused build costs, what is used and what is allowed. */
export function quotaProblem({ cost, consumed, allowance }: Pick<QuotaRequest, 'cost' | 'consumed' | 'allowance'>): string {
  return `${INSUFFICIENT_QUOTA}: the build costs ${cost} a day, and the other workspaces of the owner use ${consumed} of ${allowance}.`;
}
