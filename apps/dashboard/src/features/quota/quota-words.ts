import type { Outputs } from '../../api/trpc.ts';

export type QuotaExplanation = Outputs['quotas']['explain'];

/** "12 of 40 credits a day"; where nothing costs anything and nothing is allowed, there is nothing to say. */
export function quotaSentence({ credits_consumed: used, budget }: Pick<QuotaExplanation, 'credits_consumed' | 'budget'>): string {
  return `${used.toLocaleString('en')} of ${budget.toLocaleString('en')} credits a day are in use.`;
}

/** Whether quotas are in use at all for somebody: a server without costs and allowances need not tell of them. */
export function hasQuota({ credits_consumed: used, budget }: Pick<QuotaExplanation, 'credits_consumed' | 'budget'>): boolean {
  return used > 0 || budget > 0;
}
