import { pageLimit, pageOffset, queryBool, timestamp, uuid } from '@berth/core';
import { APP_HEALTHS, SHARE_ACCESSES } from '@berth/domain';
import { z } from 'zod';
import { route } from '../kernel/route.ts';
import { MinimalUser } from '../template-versions/contract.ts';
import { UserPath } from '../users/contract.ts';

export const SHARE_SECONDS_MIN = 60;
export const SHARE_SECONDS_MAX = 30 * 24 * 60 * 60;
/** Of one workspace, at the same time. */
export const ACTIVE_SHARES_MAX = 100;
export const SHARE_STATUSES = ['active', 'ended', 'expired'] as const;

const WorkspacePath = z.object({ workspace: uuid() });

const access = () =>
  z.enum(SHARE_ACCESSES).meta({
    id: 'WorkspaceShareAccess',
    description:
      '`apps`: opens apps on their own domains. `terminal`: opens terminals, which run as the workspace’s user. `terminal_view`: looks on at one terminal, without typing into it.',
  });

const ShareRecipient = z
  .object({
    type: z.enum(['user', 'group']),
    id: uuid(),
    name: z.string().meta({ description: 'The user name, or the name of the group.' }),
    display_name: z.string().meta({ description: 'The full name, or the display name of the group; may be empty.' }),
    avatar_url: z.string(),
  })
  .meta({ id: 'WorkspaceShareRecipient' });

const what = {
  access: access(),
  agent_name: z.string().meta({ description: 'Empty: every agent of the workspace.' }),
  app_slug: z.string().meta({ description: 'Of `apps`: the one app; empty: every app. Empty for all other accesses.' }),
  terminal_id: uuid().nullable().meta({ description: 'Of `terminal_view`: the terminal, by the `reconnect` id that opened it.' }),
};

export const WorkspaceShare = z
  .object({
    id: uuid(),
    workspace_id: uuid(),
    ...what,
    recipient: ShareRecipient,
    status: z.enum(SHARE_STATUSES).meta({ description: '`ended`: taken back before its time; `expired`: its time is over.' }),
    created_by: MinimalUser,
    created_at: timestamp(),
    expires_at: timestamp(),
    ended_at: timestamp().nullable(),
    last_used_at: timestamp().nullable().meta({ description: 'When somebody last opened something by it, to some minutes.' }),
  })
  .meta({ id: 'WorkspaceShare', description: 'Access of a user or a group to a part of somebody’s workspace, for a time.' });
export type WorkspaceShare = z.output<typeof WorkspaceShare>;

export const WorkspaceShares = z
  .object({ shares: z.array(WorkspaceShare).meta({ description: 'Newest first.' }), count: z.int() })
  .meta({ id: 'WorkspaceShares', description: 'The shares of a workspace; `count` is that of all pages.' });
export type WorkspaceShares = z.output<typeof WorkspaceShares>;

export const ListShares = WorkspacePath.extend({
  active: queryBool().optional().meta({ description: 'Only shares that let in now; absent or false: those that are over, too.' }),
  limit: pageLimit(100, 200),
  offset: pageOffset(),
});

export const CreateShare = WorkspacePath.extend({
  access: access(),
  user: z.string().min(1).max(64).optional().meta({ description: 'A member of the workspace’s organization: a user id or a user name.' }),
  group_id: uuid().optional().meta({ description: 'A group of the workspace’s organization. Either this or `user`.' }),
  agent_name: z.string().max(64).default('').meta({ description: 'An agent of the latest build; empty for every agent.' }),
  app_slug: z.string().max(64).default('').meta({ description: 'For `apps`: one app of the latest build; empty for every app.' }),
  terminal_id: uuid().optional().meta({ description: 'For `terminal_view`, and for nothing else: the terminal’s `reconnect` id.' }),
  expires_at: timestamp().optional().meta({ description: 'From a minute to 30 days ahead. Either this or `duration_seconds`.' }),
  duration_seconds: z.int().min(SHARE_SECONDS_MIN).max(SHARE_SECONDS_MAX).optional(),
}).meta({ id: 'CreateWorkspaceShareRequest' });

export const SharePath = WorkspacePath.extend({ share: uuid() });

const ReceivedApp = z
  .object({
    id: uuid(),
    slug: z.string(),
    display_name: z.string(),
    icon: z.string(),
    health: z.enum(APP_HEALTHS),
    subdomain_name: z.string(),
    url: z.string().meta({ description: 'Where it opens.' }),
  })
  .meta({ id: 'ReceivedWorkspaceShareApp', description: 'An app that the share opens.' });

const ReceivedAgent = z
  .object({
    id: uuid(),
    name: z.string(),
    is_connected: z.boolean(),
    apps: z.array(ReceivedApp).meta({ description: 'Of `apps`; empty for all other accesses.' }),
  })
  .meta({ id: 'ReceivedWorkspaceShareAgent', description: 'An agent of the latest build that the share reaches.' });

export const ReceivedShare = z
  .object({
    id: uuid(),
    ...what,
    workspace: z
      .object({
        id: uuid(),
        name: z.string(),
        owner_id: uuid(),
        owner_name: z.string(),
        owner_avatar_url: z.string(),
        organization_id: uuid(),
        is_running: z.boolean(),
      })
      .meta({ id: 'ReceivedWorkspaceShareWorkspace' }),
    group: z
      .object({ id: uuid(), name: z.string(), display_name: z.string() })
      .nullable()
      .meta({ id: 'ReceivedWorkspaceShareGroup', description: 'The group that it was shared with; null: with this user.' }),
    agents: z.array(ReceivedAgent).meta({ description: 'By name; empty while the workspace has none.' }),
    created_by: MinimalUser,
    created_at: timestamp(),
    expires_at: timestamp(),
  })
  .meta({ id: 'ReceivedWorkspaceShare', description: 'What somebody else shares with a user now, with what is needed to open it.' });
export type ReceivedShare = z.output<typeof ReceivedShare>;

export const ReceivedShares = z
  .object({ shares: z.array(ReceivedShare).meta({ description: 'The next to end first.' }), count: z.int() })
  .meta({ id: 'ReceivedWorkspaceShares', description: '`count` is that of all pages.' });
export type ReceivedShares = z.output<typeof ReceivedShares>;

export const ListReceived = UserPath.extend({ limit: pageLimit(50, 100), offset: pageOffset() });

export const routes = {
  list: route({
    method: 'GET',
    path: '/workspaces/{workspace}/shares',
    tag: 'Workspaces',
    id: 'list-workspace-shares',
    summary: 'List who else has access to a workspace, and who had',
    errors: ['not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/workspaces/{workspace}/shares',
    tag: 'Workspaces',
    id: 'create-workspace-share',
    summary: 'Share apps or a terminal of a workspace for a time',
    description:
      'For who may change the workspace, and have themselves what they share. The recipient gets no other right: not to see the workspace, its logs or its ports.',
    status: 201,
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/workspaces/{workspace}/shares/{share}',
    tag: 'Workspaces',
    id: 'delete-workspace-share',
    summary: 'Take a share of a workspace back',
    description: 'What is open by it ends at once. A share that is over already stays as it is.',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
  received: route({
    method: 'GET',
    path: '/users/{user}/received-shares',
    tag: 'Workspaces',
    id: 'list-received-workspace-shares',
    summary: 'List what others share with a user now',
    errors: ['forbidden', 'not_found'],
  }),
};
