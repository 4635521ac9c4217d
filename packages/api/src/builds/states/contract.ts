import { pageLimit, pageOffset, timestamp, uuid } from '@berth/core';
import { TRANSITIONS, WORKSPACE_STATUSES } from '@berth/domain';
import { z } from 'zod';
import { route } from '../../kernel/route.ts';

export const StoredState = z
  .object({
    build_id: uuid(),
    build_number: z.int(),
    created_at: timestamp().meta({ description: 'When the build was created.' }),
    updated_at: timestamp().meta({ description: 'When the build last changed, the state included.' }),
    transition: z.enum(TRANSITIONS),
    status: z.enum(WORKSPACE_STATUSES).meta({ description: 'Of the build.' }),
    size: z.int().meta({ description: 'Bytes.' }),
    is_current: z.boolean().meta({ description: 'The next build starts from this state.' }),
  })
  .meta({
    id: 'WorkspaceStoredState',
    description: 'The state that a build of a workspace left behind. Download it with the id of the build.',
  });
export type StoredState = z.output<typeof StoredState>;

export const ListStates = z.object({ workspace: uuid(), limit: pageLimit(25, 100), offset: pageOffset() });

export const RestoreState = z.object({
  workspacebuild: uuid(),
  transition: z.enum(['start', 'stop']).meta({ description: 'What the new build does with the restored state.' }),
});

export const statesRoutes = {
  listStates: route({
    method: 'GET',
    path: '/workspaces/{workspace}/states',
    tag: 'Builds',
    id: 'get-workspace-states',
    summary: 'List the stored states of a workspace',
    description: 'Of every build that has one, newest first. Needs the right to update the template.',
    errors: ['not_found', 'forbidden'],
  }),
  restoreState: route({
    method: 'POST',
    path: '/workspacebuilds/{workspacebuild}/restore-state',
    tag: 'Builds',
    id: 'restore-workspace-state',
    summary: 'Restore the state of a workspace build',
    description:
      'Creates a build of the same workspace, with its latest template version, that starts from the state of this build. Every state stays stored with its build. Needs the right to update the template.',
    errors: ['not_found', 'forbidden', 'not_ready', 'conflict', 'unavailable'],
  }),
};
