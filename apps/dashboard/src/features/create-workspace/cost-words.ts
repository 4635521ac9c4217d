import { counted } from '@berth/core';
import { quotaAllows } from '@berth/domain';

interface Sums {
  readonly credits_consumed: number;
  readonly budget: number;
}

export interface CostVerdict {
  readonly fits: boolean;
  readonly sentence: string;
}

const shown = (credits: number): string => credits.toLocaleString('en');

/** Whether a first start fits what the person may spend, by the very rule of the server, and the sums in a sentence. */
export function costVerdict(cost: number, { credits_consumed: consumed, budget }: Sums): CostVerdict {
  const fits = quotaAllows({ transition: 'start', consumed, allowance: budget, cost, previousCost: null });
  if (cost === 0) return { fits, sentence: 'It costs nothing of your quota.' };
  const costs = `It costs ${counted(cost, 'credit')} a day.`;
  if (fits) return { fits, sentence: `${costs} With it, ${shown(consumed + cost)} of your ${shown(budget)} are in use.` };
  return {
    fits,
    sentence: `${costs} You have ${shown(Math.max(0, budget - consumed))} left of ${shown(budget)}: ${shown(consumed + cost - budget)} too few.`,
  };
}
