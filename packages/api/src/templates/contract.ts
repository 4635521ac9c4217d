import { pageLimit, pageOffset, timestamp, uuid } from '@berth/core';
import { PROVISIONER_TYPES, SHARING_LEVELS, TEMPLATE_TTL_MAX_MS, TEMPLATE_VARIABLE_TYPES, WEEKDAYS } from '@berth/domain';
import { z } from 'zod';
import { Confirmation } from '../kernel/confirmation.ts';
import { nameField } from '../kernel/name-field.ts';
import { route } from '../kernel/route.ts';
import { VariableValue } from '../template-versions/contract.ts';
import { aclRoutes } from './access/contract.ts';
import { settingsRoutes } from './settings/contract.ts';

export * from './access/contract.ts';
export * from './settings/contract.ts';

export const TemplateAutostartRequirement = z.object({ days_of_week: z.array(z.enum(WEEKDAYS)).max(7) }).meta({
  id: 'TemplateAutostartRequirement',
  description: 'Days on which workspaces may start by themselves.',
});

export const TemplateAutostopRequirement = z.object({ days_of_week: z.array(z.enum(WEEKDAYS)).max(7), weeks: z.int() }).meta({
  id: 'TemplateAutostopRequirement',
  description: 'Days on which workspaces must stop, every so many weeks.',
});

export const TransitionStats = z.object({ p50: z.int().nullable(), p95: z.int().nullable() }).meta({
  id: 'TransitionStats',
  description: 'Milliseconds that such builds took; null when there was none.',
});

export const Template = z
  .object({
    id: uuid(),
    created_at: timestamp(),
    updated_at: timestamp(),
    organization_id: uuid(),
    organization_name: z.string(),
    organization_display_name: z.string(),
    organization_icon: z.string(),
    name: z.string(),
    display_name: z.string(),
    description: z.string(),
    icon: z.string(),
    provisioner: z.enum(PROVISIONER_TYPES),
    active_version_id: uuid(),
    active_user_count: z
      .int()
      .meta({ description: 'People who used its workspaces in the last seven days, counted as the insights count active users.' }),
    build_time_stats: z.record(z.string(), TransitionStats).meta({ id: 'TemplateBuildTimeStats' }),
    created_by_id: uuid(),
    created_by_name: z.string(),
    deprecated: z.boolean(),
    deprecation_message: z.string(),
    default_ttl_ms: z.int(),
    activity_bump_ms: z.int(),
    failure_ttl_ms: z.int(),
    time_til_dormant_ms: z.int(),
    time_til_dormant_autodelete_ms: z.int(),
    autostart_requirement: TemplateAutostartRequirement,
    autostop_requirement: TemplateAutostopRequirement,
    allow_user_autostart: z.boolean(),
    allow_user_autostop: z.boolean(),
    allow_user_cancel_workspace_jobs: z.boolean(),
    require_active_version: z.boolean(),
    max_port_share_level: z.enum(SHARING_LEVELS).meta({ id: 'WorkspaceAgentPortShareLevel' }),
  })
  .meta({
    id: 'Template',
    description: 'What workspaces are made from, and the rules they live by.',
  });
export type Template = z.output<typeof Template>;

export const TemplateList = z.array(Template);

export const TemplateExampleVariable = z
  .object({
    name: z.string(),
    type: z.enum(TEMPLATE_VARIABLE_TYPES),
    description: z.string(),
    sensitive: z.boolean(),
  })
  .meta({
    id: 'TemplateExampleVariable',
    description: 'A variable without a default: the import of a starter template needs a value for it.',
  });

export const TemplateExample = z
  .object({
    id: uuid(),
    url: z.string(),
    name: z.string(),
    description: z.string(),
    icon: z.string(),
    tags: z.array(z.string()),
    markdown: z.string().meta({ description: 'The README.' }),
    variables: z.array(TemplateExampleVariable).meta({ description: 'Those that its import needs values for.' }),
    available: z.boolean().meta({
      description: 'Whether a connected provisioner can import it: one of the organization, or of any when no organization is named.',
    }),
    unavailable_reason: z
      .string()
      .meta({ description: 'Why no connected provisioner can, and how to fix it. Empty when it is available.' }),
  })
  .meta({ id: 'TemplateExample', description: 'A starter template that ships with the server.' });
export type TemplateExample = z.output<typeof TemplateExample>;
export const TemplateExampleList = z.array(TemplateExample);

export const TemplateName = nameField('name');
export const TemplateDisplayName = nameField('display_name');

const milliseconds = () => z.int().min(0).max(TEMPLATE_TTL_MAX_MS);
const days = () => z.array(z.enum(WEEKDAYS)).max(7);

export const CreateTemplateRequest = z
  .object({
    name: TemplateName,
    template_version_id: uuid().meta({
      description: 'A version of the same organization that no template has yet; it becomes the active one.',
    }),
    display_name: TemplateDisplayName.optional(),
    description: z.string().max(127).optional(),
    icon: z.string().max(256).optional(),
    default_ttl_ms: milliseconds().optional().meta({ description: '0: workspaces do not stop by themselves.' }),
    activity_bump_ms: milliseconds().optional().meta({ description: 'One hour when absent.' }),
    autostop_requirement: z.object({ days_of_week: days().optional(), weeks: z.int().min(0).max(16).optional() }).optional(),
    autostart_requirement: z.object({ days_of_week: days().optional() }).optional().meta({ description: 'All seven days when absent.' }),
    allow_user_cancel_workspace_jobs: z.boolean().optional(),
    allow_user_autostart: z.boolean().optional(),
    allow_user_autostop: z.boolean().optional(),
    failure_ttl_ms: milliseconds().optional(),
    dormant_ttl_ms: milliseconds().optional(),
    delete_ttl_ms: milliseconds().optional(),
    disable_everyone_group_access: z.boolean().optional(),
    require_active_version: z.boolean().optional(),
    max_port_share_level: z.enum(SHARING_LEVELS).optional(),
  })
  .meta({ id: 'CreateTemplateRequest' });

const organization = () => z.string().min(1).max(64);

export const CreateTemplateInput = CreateTemplateRequest.extend({ organization: organization() });
export type CreateTemplateInput = z.output<typeof CreateTemplateInput>;

const listQuery = {
  q: z.string().max(1024).optional().meta({
    description:
      'Terms that must all hold: free text or `name:` (part of the name), `exact_name:`, `ids:`, `deleted:`, `deprecated:`, `organization:`.',
  }),
  limit: pageLimit(1000, 1000),
  offset: pageOffset(),
};

export const ListTemplatesInput = z.object(listQuery);
export type ListTemplatesInput = z.output<typeof ListTemplatesInput>;
export const ListOrganizationTemplatesInput = z.object({
  organization: organization(),
  ...listQuery,
});
export type ListOrganizationTemplatesInput = z.output<typeof ListOrganizationTemplatesInput>;

export const TemplateInput = z.object({ template: uuid() });
export type TemplateInput = z.output<typeof TemplateInput>;
export const TemplateByNameInput = z.object({
  organization: organization(),
  templatename: z.string().min(1).max(64),
});
export type TemplateByNameInput = z.output<typeof TemplateByNameInput>;

export const PromoteTemplateVersionInput = z.object({
  template: uuid(),
  id: uuid().meta({ description: 'The version that becomes the active one.' }),
});
export type PromoteTemplateVersionInput = z.output<typeof PromoteTemplateVersionInput>;
export const PromoteTemplateVersionOutput = Confirmation;
export const DeleteTemplateOutput = Confirmation;

export const ListTemplateExamplesInput = z.object({});
export const ListOrganizationTemplateExamplesInput = z.object({ organization: organization() });
export type ListOrganizationTemplateExamplesInput = z.output<typeof ListOrganizationTemplateExamplesInput>;

/** Makes a template from a starter in one step; `name` and `display_name` are the starter's own when absent. */
export const InstallExampleInput = z.object({
  organization: organization(),
  example_id: z.string().min(1).max(64),
  name: TemplateName.optional(),
  display_name: TemplateDisplayName.optional(),
  user_variable_values: z.array(VariableValue).max(128).optional(),
});
export type InstallExampleInput = z.output<typeof InstallExampleInput>;

const tag = 'Templates';

export const routes = {
  ...aclRoutes,
  ...settingsRoutes,
  list: route({
    method: 'GET',
    path: '/templates',
    tag,
    id: 'get-all-templates',
    summary: 'Get all templates',
    description: 'Those the caller may read, most used first.',
  }),
  listByOrganization: route({
    method: 'GET',
    path: '/organizations/{organization}/templates',
    tag,
    id: 'get-templates-by-organization',
    summary: 'Get templates by organization',
    errors: ['not_found'],
  }),
  get: route({
    method: 'GET',
    path: '/templates/{template}',
    tag,
    id: 'get-template-metadata-by-id',
    summary: 'Get template metadata by ID',
    errors: ['not_found'],
  }),
  getByName: route({
    method: 'GET',
    path: '/organizations/{organization}/templates/{templatename}',
    tag,
    id: 'get-templates-by-organization-and-template-name',
    summary: 'Get templates by organization and template name',
    errors: ['not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/organizations/{organization}/templates',
    tag,
    id: 'create-template-by-organization',
    summary: 'Create template by organization',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/templates/{template}',
    tag,
    id: 'delete-template-by-id',
    summary: 'Delete template by ID',
    description: 'Refused while workspaces that are not deleted were made from it.',
    errors: ['forbidden', 'not_found'],
  }),
  promote: route({
    method: 'PATCH',
    path: '/templates/{template}/versions',
    tag,
    id: 'update-active-template-version-by-template-id',
    summary: 'Update active template version by template ID',
    errors: ['forbidden', 'not_found'],
  }),
  examples: route({
    method: 'GET',
    path: '/templates/examples',
    tag,
    id: 'get-template-examples',
    summary: 'Get template examples',
    errors: ['forbidden', 'not_found'],
  }),
  examplesByOrganization: route({
    method: 'GET',
    path: '/organizations/{organization}/templates/examples',
    tag,
    id: 'get-template-examples-by-organization',
    summary: 'Get template examples by organization',
    errors: ['forbidden', 'not_found'],
  }),
};
