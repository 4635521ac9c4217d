import { uuid } from '@berth/core';
import { z } from 'zod';
import { route } from '../../kernel/route.ts';

const BULK_MAX = 100;
const BULK_ACTIONS = ['start', 'stop', 'delete', 'update'] as const;
/** `unchanged`: the workspace is as the action would make it. */
const BULK_STATUSES = ['ok', 'unchanged', 'refused'] as const;

export const BulkWorkspaces = z
  .object({
    workspace_ids: z
      .array(uuid())
      .min(1)
      .max(BULK_MAX)
      .refine((ids) => new Set(ids.map((id) => id.toLowerCase())).size === ids.length, 'must not name a workspace twice'),
    action: z.enum(BULK_ACTIONS).meta({ description: '`update` starts on the active version of the template.' }),
    dry_run: z.boolean().optional().meta({ description: 'Answers what would happen to each, and makes no build.' }),
  })
  .meta({ id: 'BulkWorkspacesRequest' });

export const BulkResult = z
  .object({
    workspace_id: uuid(),
    status: z.enum(BULK_STATUSES),
    build_id: uuid().nullable().meta({ description: 'The build that was made; null where none was.' }),
    error: z.object({ kind: z.string(), message: z.string() }).nullable().meta({ description: 'Why it was refused.' }),
  })
  .meta({ id: 'BulkWorkspaceResult', description: 'What came of one workspace.' });
export type BulkResult = z.output<typeof BulkResult>;

export const BulkResults = z
  .object({ results: z.array(BulkResult).meta({ description: 'One per workspace, in the order of the request.' }) })
  .meta({ id: 'BulkWorkspacesResponse', description: 'What came of each workspace. One that was refused does not hold up the others.' });
export type BulkResults = z.output<typeof BulkResults>;

export const bulkRoutes = {
  bulk: route({
    method: 'POST',
    path: '/workspaces/bulk',
    tag: 'Workspaces',
    id: 'change-workspaces',
    summary: 'Start, stop, delete or update many workspaces',
    description: 'Each for itself: with its own permission check, its own transaction and its own audit row.',
  }),
};
