import { timestamp, uuid } from '@berth/core';
import { AUTOMATIC_UPDATES, DEADLINE_RULES, SCHEDULE_EVENT_KINDS, SCHEDULE_EVENT_RULES, USAGE_APP_NAMES } from '@berth/domain';
import { z } from 'zod';
import { route } from '../../kernel/route.ts';

const WorkspacePath = z.object({ workspace: uuid() });

export const UpdateAutostart = WorkspacePath.extend({
  schedule: z.string().max(256).nullish().meta({
    description: '`minute hour * * weekday`, with an optional `CRON_TZ=<IANA zone>` before it; null or empty for none. Absent: unchanged.',
  }),
}).meta({ id: 'UpdateWorkspaceAutostartRequest' });

export const UpdateTtl = WorkspacePath.extend({
  ttl_ms: z.int().nullish().meta({
    description:
      'Whole minutes, 1 minute to 30 days; null or 0 for no automatic stop. Absent: unchanged. A running build keeps its deadline.',
  }),
}).meta({ id: 'UpdateWorkspaceTTLRequest' });

export const UpdateAutomaticUpdates = WorkspacePath.extend({
  automatic_updates: z.enum(AUTOMATIC_UPDATES).optional().meta({ description: 'Absent: unchanged.' }),
}).meta({ id: 'UpdateWorkspaceAutomaticUpdatesRequest' });

export const UpdateDormancy = WorkspacePath.extend({
  dormant: z.boolean().optional().meta({ description: 'True puts the workspace to sleep, false wakes it up. Absent: unchanged.' }),
}).meta({ id: 'UpdateWorkspaceDormancy' });

export const ExtendWorkspace = WorkspacePath.extend({
  deadline: timestamp().meta({ description: 'At least 30 minutes ahead, and not past `max_deadline`.' }),
}).meta({ id: 'PutExtendWorkspaceRequest' });

export const PostUsage = WorkspacePath.extend({
  agent_id: uuid().optional().meta({ description: 'An agent of the latest build; together with `app_name`, or neither.' }),
  app_name: z.enum(USAGE_APP_NAMES).optional(),
}).meta({ id: 'PostWorkspaceUsageRequest' });

export const ResolveAutostart = z
  .object({
    parameter_mismatch: z.boolean().meta({
      description: 'The next autostart would change to a version that the stored parameters do not fit, so somebody has to look first.',
    }),
  })
  .meta({ id: 'ResolveAutostartResponse' });
export type ResolveAutostart = z.output<typeof ResolveAutostart>;

export const ScheduledEvent = z
  .object({
    kind: z.enum(SCHEDULE_EVENT_KINDS),
    time: timestamp().meta({ description: 'Never in the past: what is overdue happens now.' }),
    rule: z.enum(SCHEDULE_EVENT_RULES).meta({ description: 'What makes it happen then.' }),
    setting: z.string().meta({ description: 'The setting behind the rule; empty where a person or an account is the reason.' }),
    value: z.union([z.int(), z.string()]).nullable().meta({ description: 'Its value: milliseconds, or a text such as the schedule.' }),
  })
  .meta({ id: 'WorkspaceScheduledEvent', description: 'Something that happens to a workspace by itself, if nothing happens before.' });
export type ScheduledEvent = z.output<typeof ScheduledEvent>;

export const WorkspaceSchedule = z
  .object({
    workspace_id: uuid(),
    deadline: timestamp().nullable().meta({ description: 'When the running workspace stops; null while it does not run, or for never.' }),
    deadline_rule: z.enum(DEADLINE_RULES).meta({ description: 'The rule that made the deadline; empty while there is none.' }),
    max_deadline: timestamp().nullable().meta({ description: 'No extension and no activity moves the deadline past it.' }),
    next_autostart: timestamp().nullable(),
    events: z.array(ScheduledEvent).meta({ description: 'What is to come, soonest first.' }),
    problem: z.string().meta({ description: 'Why the last thing that was to happen did not; empty while nothing is wrong.' }),
  })
  .meta({ id: 'WorkspaceSchedule', description: 'What will happen to a workspace by itself, when, and by which rule.' });
export type WorkspaceSchedule = z.output<typeof WorkspaceSchedule>;

export const settingsRoutes = {
  updateAutostart: route({
    method: 'PUT',
    path: '/workspaces/{workspace}/autostart',
    tag: 'Workspaces',
    id: 'update-workspace-autostart-schedule-by-id',
    summary: 'Update the autostart schedule of a workspace',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
  updateTtl: route({
    method: 'PUT',
    path: '/workspaces/{workspace}/ttl',
    tag: 'Workspaces',
    id: 'update-workspace-ttl-by-id',
    summary: 'Update the time to live of a workspace',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
  updateAutomaticUpdates: route({
    method: 'PUT',
    path: '/workspaces/{workspace}/autoupdates',
    tag: 'Workspaces',
    id: 'update-workspace-automatic-updates-by-id',
    summary: 'Update whether a workspace starts on the active version by itself',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
  updateDormancy: route({
    method: 'PUT',
    path: '/workspaces/{workspace}/dormant',
    tag: 'Workspaces',
    id: 'update-workspace-dormancy-status-by-id',
    summary: 'Put a workspace to sleep, or wake it up',
    description:
      'A dormant workspace cannot be started, and is deleted after the time that its template says. One that runs is stopped within a minute.',
    errors: ['forbidden', 'not_found'],
  }),
  extend: route({
    method: 'PUT',
    path: '/workspaces/{workspace}/extend',
    tag: 'Workspaces',
    id: 'extend-workspace-deadline-by-id',
    summary: 'Extend the deadline of a running workspace',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  usage: route({
    method: 'POST',
    path: '/workspaces/{workspace}/usage',
    tag: 'Workspaces',
    id: 'post-workspace-usage-by-id',
    summary: 'Say that a workspace is in use',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
  resolveAutostart: route({
    method: 'GET',
    path: '/workspaces/{workspace}/resolve-autostart',
    tag: 'Workspaces',
    id: 'resolve-workspace-autostart-by-id',
    summary: 'Ask whether the next autostart of a workspace would work',
    errors: ['not_found'],
  }),
  schedule: route({
    method: 'GET',
    path: '/workspaces/{workspace}/schedule',
    tag: 'Workspaces',
    id: 'get-workspace-schedule',
    summary: 'Get what will happen to a workspace by itself',
    description: 'Every future start, stop, sleep and deletion, with its time and the rule that made it.',
    errors: ['not_found'],
  }),
};
