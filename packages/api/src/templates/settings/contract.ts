import { queryInt, timestamp, uuid } from '@berth/core';
import {
  AUTOSTOP_WEEKS_MAX,
  POLICY_EFFECT_KINDS,
  SCHEDULE_EVENT_RULES,
  SHARING_LEVELS,
  TEMPLATE_TTL_MAX_MS,
  TEMPLATE_TTL_MIN_MS,
  WEEKDAYS,
} from '@berth/domain';
import { z } from 'zod';
import { nameField } from '../../kernel/name-field.ts';
import { route } from '../../kernel/route.ts';

const milliseconds = () => z.int().min(0).max(TEMPLATE_TTL_MAX_MS);
/** 0 turns a limit off. What is shorter than the loop that acts on it would surprise people. */
const limit = () =>
  milliseconds().refine((value) => value === 0 || value >= TEMPLATE_TTL_MIN_MS, 'must be 0, or at least one minute (60000 milliseconds)');
const days = () => z.array(z.enum(WEEKDAYS)).max(WEEKDAYS.length);

/** What is absent stays as it is. An empty `name` keeps the name. */
export const UpdateTemplateRequest = z
  .object({
    name: nameField('name').or(z.literal('')).optional(),
    display_name: nameField('display_name').optional(),
    description: z.string().max(127).optional(),
    icon: z.string().max(256).optional(),
    default_ttl_ms: milliseconds().optional().meta({ description: '0: workspaces do not stop by themselves. Counts for new workspaces.' }),
    activity_bump_ms: milliseconds().optional().meta({ description: 'How far activity moves the deadline; 0: not at all.' }),
    autostop_requirement: z
      .object({ days_of_week: days().optional(), weeks: z.int().min(0).max(AUTOSTOP_WEEKS_MAX).optional() })
      .optional()
      .meta({ description: 'Days on which workspaces must stop in their owners’ quiet hours, every so many weeks.' }),
    autostart_requirement: z.object({ days_of_week: days().optional() }).optional(),
    allow_user_autostart: z.boolean().optional(),
    allow_user_autostop: z.boolean().optional(),
    allow_user_cancel_workspace_jobs: z.boolean().optional(),
    failure_ttl_ms: limit().optional().meta({ description: 'How long after a failed start a workspace is stopped; 0: never.' }),
    time_til_dormant_ms: limit()
      .optional()
      .meta({ description: 'How long a workspace may be unused before it becomes dormant; 0: forever.' }),
    time_til_dormant_autodelete_ms: limit().optional().meta({
      description: 'How long a workspace may be dormant before it is deleted; 0: forever. Dormant ones get their new time at once.',
    }),
    update_workspace_last_used_at: z.boolean().optional().meta({ description: 'Take every workspace as used just now.' }),
    update_workspace_dormant_at: z.boolean().optional().meta({ description: 'Take every dormant workspace as dormant since now.' }),
    require_active_version: z.boolean().optional(),
    deprecation_message: z
      .string()
      .max(1024)
      .optional()
      .meta({ description: 'Not empty: no new workspaces, and this says why. Empty: in use again.' }),
    disable_everyone_group_access: z.boolean().optional().meta({
      description: 'True takes the template from the organization’s members at large; false changes nothing.',
    }),
    max_port_share_level: z.enum(SHARING_LEVELS).optional().meta({
      description: 'Shares above a lower level are reduced to it, and removed at `owner`.',
    }),
  })
  .meta({ id: 'UpdateTemplateMeta' });
export type UpdateTemplateRequest = z.output<typeof UpdateTemplateRequest>;

export const UpdateTemplateInput = UpdateTemplateRequest.extend({ template: uuid() });
export type UpdateTemplateInput = z.output<typeof UpdateTemplateInput>;

/** Workspaces that one answer lists. */
const IMPACT_PAGE = 100;

export const PolicyImpactInput = UpdateTemplateInput.extend({
  limit: z
    .int()
    .min(0)
    .max(500)
    .optional()
    .transform((limit) => (limit === undefined || limit === 0 ? IMPACT_PAGE : limit))
    .meta({ description: `Workspaces to list: ${IMPACT_PAGE} when absent or 0, at most 500.` }),
  offset: z.int().min(0).max(1_000_000).optional(),
});
export type PolicyImpactInput = z.output<typeof PolicyImpactInput>;

export const PolicyEffect = z
  .object({
    kind: z.enum(POLICY_EFFECT_KINDS).meta({
      description:
        'A future event of the workspace that moves, comes or goes, as its schedule names it; or ttl: another time to live counts from its next start on; port_shares: shares of its ports are reduced or removed; outdated: it can only be started on the active version, which it is not on.',
    }),
    before: timestamp().nullable().meta({ description: 'When the event would happen under the present rules; null: never.' }),
    after: timestamp().nullable().meta({ description: 'When it would happen under the new ones; null: never.' }),
    rule: z.enum(['', ...SCHEDULE_EVENT_RULES]).meta({ description: 'What makes the new time of the event, or made its old one.' }),
    detail: z.string().meta({ description: 'The effect in one sentence.' }),
  })
  .meta({ id: 'TemplatePolicyEffect' });
export type PolicyEffect = z.output<typeof PolicyEffect>;

export const AffectedWorkspace = z
  .object({
    workspace_id: uuid(),
    workspace_name: z.string(),
    owner_id: uuid(),
    owner_name: z.string(),
    effects: z.array(PolicyEffect),
  })
  .meta({ id: 'TemplatePolicyAffectedWorkspace' });
export type AffectedWorkspace = z.output<typeof AffectedWorkspace>;

export const TemplatePolicyImpact = z
  .object({
    count: z.int().meta({ description: 'Workspaces that the change touches, of those that were examined.' }),
    examined: z.int(),
    is_complete: z.boolean().meta({ description: 'Whether every workspace of the template was examined.' }),
    counts: z.record(z.enum(POLICY_EFFECT_KINDS), z.int()).meta({ description: 'Touched workspaces by kind of effect.' }),
    workspaces: z.array(AffectedWorkspace).meta({ description: 'By owner and name.' }),
  })
  .meta({ id: 'TemplatePolicyImpact', description: 'What a change of a template would do to the workspaces that were made from it.' });
export type TemplatePolicyImpact = z.output<typeof TemplatePolicyImpact>;

/** Offsets from UTC that a place on earth has, in hours. */
export const TemplateDausInput = z.object({
  template: uuid(),
  tz_offset: queryInt(-12, 14).default(0).meta({ description: 'Hours that the days are ahead of UTC.' }),
});
export type TemplateDausInput = z.output<typeof TemplateDausInput>;

export const DAUsResponse = z
  .object({
    tz_hour_offset: z.int(),
    entries: z.array(z.object({ date: z.string().meta({ description: 'YYYY-MM-DD' }), amount: z.int() }).meta({ id: 'DAUEntry' })),
  })
  .meta({ id: 'DAUsResponse', description: 'People who used workspaces, by day: the last sixty days and today.' });
export type DAUsResponse = z.output<typeof DAUsResponse>;

const tag = 'Templates';

export const settingsRoutes = {
  update: route({
    method: 'PATCH',
    path: '/templates/{template}',
    tag,
    id: 'update-template-metadata-by-id',
    summary: 'Update template metadata by ID',
    description: 'What is absent stays as it is. A change of the schedule moves the deadlines of workspaces that run.',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  policyImpact: route({
    method: 'POST',
    path: '/templates/{template}/policy-impact',
    tag,
    id: 'preview-template-policy',
    summary: 'Preview a change of a template',
    description: 'Takes what the update takes, and answers which workspaces it would touch, and how. Changes nothing.',
    errors: ['forbidden', 'not_found'],
  }),
  daus: route({
    method: 'GET',
    path: '/templates/{template}/daus',
    tag,
    id: 'get-template-daus-by-id',
    summary: 'Get template DAUs by ID',
    errors: ['forbidden', 'not_found'],
  }),
};
