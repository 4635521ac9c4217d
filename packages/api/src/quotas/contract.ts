import { uuid } from '@berth/core';
import { z } from 'zod';
import { route } from '../kernel/route.ts';
import { organizationParam } from '../organizations/contract.ts';
import { UserPath } from '../users/contract.ts';

/** Groups and workspaces of one explanation at most. */
export const QUOTA_LIST_MAX = 1000;

export const WorkspaceQuota = z
  .object({
    credits_consumed: z.int().meta({ description: 'What the user’s workspaces in the organization cost per day.' }),
    budget: z.int().meta({ description: 'What they may cost per day: the sum of the allowances of the user’s groups.' }),
  })
  .meta({ id: 'WorkspaceQuota' });
export type WorkspaceQuota = z.output<typeof WorkspaceQuota>;

export const QuotaExplanation = z
  .object({
    ...WorkspaceQuota.shape,
    groups: z
      .array(z.object({ id: uuid(), name: z.string(), display_name: z.string(), quota_allowance: z.int() }))
      .meta({ description: 'Where the budget comes from, the largest allowance first; everyone’s group is one of them.' }),
    workspaces: z
      .array(z.object({ id: uuid(), name: z.string(), daily_cost: z.int(), build_number: z.int() }))
      .meta({ description: 'What uses it, the dearest workspace first.' }),
  })
  .meta({ id: 'QuotaExplanation', description: 'A quota with its derivation.' });
export type QuotaExplanation = z.output<typeof QuotaExplanation>;

export const QuotaPath = z.object({ organization: organizationParam(), user: UserPath.shape.user });

export const routes = {
  get: route({
    method: 'GET',
    path: '/organizations/{organization}/members/{user}/workspace-quota',
    tag: 'Enterprise',
    id: 'get-workspace-quota-by-user',
    summary: 'Get the workspace quota of a user',
    errors: ['not_found'],
  }),
  getDeprecated: route({
    method: 'GET',
    path: '/workspace-quota/{user}',
    tag: 'Enterprise',
    id: 'get-workspace-quota-by-user-deprecated',
    summary: 'Get the workspace quota of a user in the default organization',
    description: 'Use the path of the organization instead.',
    errors: ['not_found'],
    deprecated: true,
  }),
  explain: route({
    method: 'GET',
    path: '/organizations/{organization}/members/{user}/workspace-quota/explain',
    tag: 'Enterprise',
    id: 'explain-workspace-quota-by-user',
    summary: 'Explain the workspace quota of a user',
    errors: ['not_found'],
  }),
};
