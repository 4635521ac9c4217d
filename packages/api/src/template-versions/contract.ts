import { pageLimit, pageOffset, queryBool, timestamp, uuid } from '@berth/core';
import { MONOTONIC_ORDERS, PARAMETER_TYPES, PROVISIONER_TYPES, STORAGE_METHODS, TEMPLATE_VARIABLE_TYPES } from '@berth/domain';
import { z } from 'zod';
import { WorkspaceResource } from '../agents/contract.ts';
import { Confirmation } from '../kernel/confirmation.ts';
import { nameField } from '../kernel/name-field.ts';
import { route } from '../kernel/route.ts';
import { JobLogsQuery, ProvisionerJob, ProvisionerJobLog } from '../provisioner-jobs/contract.ts';
import { VariableValue, dryRunRoutes } from './dry-runs/contract.ts';

export * from './dry-runs/contract.ts';

export const MinimalUser = z
  .object({ id: uuid(), username: z.string(), avatar_url: z.string() })
  .meta({ id: 'MinimalUser', description: 'Who a user is, in short.' });

export const TemplateVersionWarning = z.enum(['UNSUPPORTED_WORKSPACES']).meta({ id: 'TemplateVersionWarning' });

export const MatchedProvisioners = z
  .object({
    count: z.int().meta({ description: 'Daemons whose tags and drivers fit the job.' }),
    available: z.int().meta({ description: 'Those of them that were heard from in the last three minutes.' }),
    most_recently_seen: timestamp().nullable(),
  })
  .meta({ id: 'MatchedProvisioners', description: 'The daemons that could do a job.' });

export const TemplateVersion = z
  .object({
    id: uuid(),
    template_id: uuid().nullable().meta({ description: 'Null until a template is made from the version.' }),
    organization_id: uuid(),
    created_at: timestamp(),
    updated_at: timestamp(),
    name: z.string(),
    message: z.string(),
    job: ProvisionerJob,
    readme: z.string(),
    created_by: MinimalUser,
    archived: z.boolean(),
    warnings: z.array(TemplateVersionWarning),
    matched_provisioners: MatchedProvisioners,
  })
  .meta({
    id: 'TemplateVersion',
    description: 'One immutable revision of a template, with the job that imports it.',
  });
export type TemplateVersion = z.output<typeof TemplateVersion>;

export const TemplateVersionParameterOption = z
  .object({ name: z.string(), description: z.string(), value: z.string(), icon: z.string() })
  .meta({ id: 'TemplateVersionParameterOption' });

export const TemplateVersionParameter = z
  .object({
    name: z.string(),
    display_name: z.string(),
    description: z.string(),
    description_plaintext: z.string(),
    type: z.enum(PARAMETER_TYPES),
    default_value: z.string(),
    required: z.boolean(),
    mutable: z.boolean(),
    ephemeral: z.boolean(),
    icon: z.string(),
    options: z.array(TemplateVersionParameterOption),
    validation_error: z.string(),
    validation_regex: z.string(),
    validation_min: z.int().nullable(),
    validation_max: z.int().nullable(),
    validation_monotonic: z.enum(MONOTONIC_ORDERS),
    condition: z
      .object({ parameter: z.string(), equals: z.array(z.string()) })
      .nullable()
      .meta({
        description: 'When set, the parameter is asked for only while the named one has one of these values.',
      }),
  })
  .meta({
    id: 'TemplateVersionParameter',
    description: 'A value that a workspace of this version asks for.',
  });
export type TemplateVersionParameter = z.output<typeof TemplateVersionParameter>;

export const TemplateVersionVariable = z
  .object({
    name: z.string(),
    description: z.string(),
    type: z.enum(TEMPLATE_VARIABLE_TYPES),
    value: z.string(),
    default_value: z.string(),
    required: z.boolean(),
    sensitive: z.boolean(),
  })
  .meta({
    id: 'TemplateVersionVariable',
    description: 'A value that the author of the version gave at import. Sensitive ones are redacted.',
  });
export type TemplateVersionVariable = z.output<typeof TemplateVersionVariable>;

export const TemplateVersionExternalAuth = z
  .object({
    id: z.string(),
    type: z.string(),
    display_name: z.string(),
    display_icon: z.string(),
    authenticate_url: z.string().meta({ description: 'Where the caller links an account.' }),
    authenticated: z.boolean().meta({ description: 'Whether the caller’s link works now.' }),
    optional: z.boolean().meta({ description: 'Workspaces start without it, too.' }),
  })
  .meta({ id: 'TemplateVersionExternalAuth', description: 'An external service that workspaces of a version use.' });
export type TemplateVersionExternalAuth = z.output<typeof TemplateVersionExternalAuth>;
export const TemplateVersionExternalAuthList = z.array(TemplateVersionExternalAuth);

export const TemplateVersionName = nameField('template_version_name');

export const CreateTemplateVersionRequest = z
  .object({
    name: TemplateVersionName.or(z.literal('')).optional().meta({ description: 'Made up when absent.' }),
    message: z.string().max(1_048_576).optional(),
    template_id: uuid().optional().meta({
      description: 'The template that gets this version; absent for one that is still to be made.',
    }),
    storage_method: z.enum(STORAGE_METHODS).meta({ id: 'ProvisionerStorageMethod' }),
    file_id: uuid().optional().meta({ description: 'An uploaded archive. Exactly one of this, `example_id` and `from_version_id`.' }),
    example_id: z.string().max(64).optional().meta({ description: 'A starter template: its id or its folder name.' }),
    from_version_id: uuid().optional().meta({
      description: 'An earlier version of a template that the caller may change: its files once more.',
    }),
    provisioner: z.enum(PROVISIONER_TYPES).meta({
      description:
        'Of no effect: the files say for which driver they are (`berth.yaml` for `process` or `container`, `*.tf` for `terraform`). A version whose driver no daemon has waits in the queue.',
    }),
    tags: z
      .record(z.string().max(128).min(1), z.string().max(256))
      .refine((tags) => Object.keys(tags).length <= 32, 'must have at most 32 tags')
      .optional(),
    user_variable_values: z.array(VariableValue).max(128).optional().meta({
      description: 'Variables without a value here keep the one of the template’s active version, or of `from_version_id`.',
    }),
  })
  .meta({ id: 'CreateTemplateVersionRequest' });

export const CreateTemplateVersionInput = CreateTemplateVersionRequest.extend({
  organization: z.string().min(1).max(64),
});
export type CreateTemplateVersionInput = z.output<typeof CreateTemplateVersionInput>;

export const TemplateVersionInput = z.object({ templateversion: uuid() });
export type TemplateVersionInput = z.output<typeof TemplateVersionInput>;

export const TemplateVersionLogsInput = TemplateVersionInput.extend(JobLogsQuery);
export type TemplateVersionLogsInput = z.output<typeof TemplateVersionLogsInput>;

/** `after` resumes; a subscription that reconnects sends the id of the last line it got as `lastEventId`. */
export const FollowTemplateVersionLogsInput = TemplateVersionInput.extend({
  after: z.int().min(0).optional(),
  lastEventId: z.string().max(32).nullish(),
});
export type FollowTemplateVersionLogsInput = z.output<typeof FollowTemplateVersionLogsInput>;

export const ListTemplateVersionsInput = z.object({
  template: uuid(),
  after_id: uuid().optional().meta({ description: 'Versions after this one in the order of the list.' }),
  include_archived: queryBool().optional(),
  limit: pageLimit(100, 1000),
  offset: pageOffset(),
});
export type ListTemplateVersionsInput = z.output<typeof ListTemplateVersionsInput>;

export const TemplateVersionList = z.array(TemplateVersion);
export const TemplateVersionLogList = z.array(ProvisionerJobLog);
export const TemplateVersionResourceList = z.array(WorkspaceResource);
export const TemplateVersionParameterList = z.array(TemplateVersionParameter);
export const TemplateVersionVariableList = z.array(TemplateVersionVariable);
export const CancelTemplateVersionOutput = Confirmation;

/** An empty name keeps the one that it has. */
export const UpdateTemplateVersionRequest = z
  .object({ name: TemplateVersionName.or(z.literal('')).optional(), message: z.string().max(1_048_576).optional() })
  .meta({ id: 'PatchTemplateVersionRequest' });
export const UpdateTemplateVersionInput = UpdateTemplateVersionRequest.extend({ templateversion: uuid() });
export type UpdateTemplateVersionInput = z.output<typeof UpdateTemplateVersionInput>;
export const ArchiveTemplateVersionOutput = Confirmation;

export const ArchiveTemplateVersionsRequest = z
  .object({ all: z.boolean().optional().meta({ description: 'Not only versions whose import failed.' }) })
  .meta({ id: 'ArchiveTemplateVersionsRequest' });
export const ArchiveTemplateVersionsInput = ArchiveTemplateVersionsRequest.extend({ template: uuid() });
export type ArchiveTemplateVersionsInput = z.output<typeof ArchiveTemplateVersionsInput>;
export const ArchivedTemplateVersions = Confirmation.extend({ template_id: uuid(), archived_ids: z.array(uuid()) }).meta({
  id: 'ArchiveTemplateVersionsResponse',
});
export type ArchivedTemplateVersions = z.output<typeof ArchivedTemplateVersions>;

const versionName = () => z.string().min(1).max(64);
export const VersionByTemplateInput = z.object({ template: uuid(), templateversionname: versionName() });
export type VersionByTemplateInput = z.output<typeof VersionByTemplateInput>;
export const VersionByNamesInput = z.object({
  organization: z.string().min(1).max(64),
  templatename: z.string().min(1).max(64),
  templateversionname: versionName(),
});
export type VersionByNamesInput = z.output<typeof VersionByNamesInput>;

const tag = 'Templates';

export const routes = {
  ...dryRunRoutes,
  create: route({
    method: 'POST',
    path: '/organizations/{organization}/templateversions',
    tag,
    id: 'create-template-version-by-organization',
    summary: 'Create template version by organization',
    description: 'Queues the import of an uploaded archive, a starter template or an earlier version.',
    status: 201,
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  list: route({
    method: 'GET',
    path: '/templates/{template}/versions',
    tag,
    id: 'list-template-versions-by-template-id',
    summary: 'List template versions by template ID',
    description: 'Oldest first.',
    errors: ['forbidden', 'not_found'],
  }),
  get: route({
    method: 'GET',
    path: '/templateversions/{templateversion}',
    tag,
    id: 'get-template-version-by-id',
    summary: 'Get template version by ID',
    errors: ['forbidden', 'not_found'],
  }),
  cancel: route({
    method: 'PATCH',
    path: '/templateversions/{templateversion}/cancel',
    tag,
    id: 'cancel-template-version-by-id',
    summary: 'Cancel template version by ID',
    errors: ['forbidden', 'not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: '/templateversions/{templateversion}',
    tag,
    id: 'patch-template-version-by-id',
    summary: 'Patch template version by ID',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  archive: route({
    method: 'POST',
    path: '/templateversions/{templateversion}/archive',
    tag,
    id: 'archive-template-version',
    summary: 'Archive template version',
    errors: ['forbidden', 'not_found'],
  }),
  unarchive: route({
    method: 'POST',
    path: '/templateversions/{templateversion}/unarchive',
    tag,
    id: 'unarchive-template-version',
    summary: 'Unarchive template version',
    errors: ['forbidden', 'not_found'],
  }),
  archiveUnused: route({
    method: 'POST',
    path: '/templates/{template}/versions/archive',
    tag,
    id: 'archive-template-unused-versions-by-template-id',
    summary: 'Archive template unused versions by template ID',
    description: 'The first thousand; call again for more.',
    errors: ['forbidden', 'not_found'],
  }),
  listByName: route({
    method: 'GET',
    path: '/templates/{template}/versions/{templateversionname}',
    tag,
    id: 'get-template-version-by-template-id-and-name',
    summary: 'Get template version by template ID and name',
    description: 'An array of one object.',
    errors: ['forbidden', 'not_found'],
  }),
  getByNames: route({
    method: 'GET',
    path: '/organizations/{organization}/templates/{templatename}/versions/{templateversionname}',
    tag,
    id: 'get-template-version-by-organization-template-and-name',
    summary: 'Get template version by organization, template, and name',
    errors: ['forbidden', 'not_found'],
  }),
  getPrevious: route({
    method: 'GET',
    path: '/organizations/{organization}/templates/{templatename}/versions/{templateversionname}/previous',
    tag,
    id: 'get-previous-template-version-by-organization-template-and-name',
    summary: 'Get previous template version by organization, template, and name',
    description: 'The one made last before it.',
    errors: ['forbidden', 'not_found'],
  }),
  logs: route({
    method: 'GET',
    path: '/templateversions/{templateversion}/logs',
    tag,
    id: 'get-logs-by-template-version',
    summary: 'Get logs by template version',
    errors: ['forbidden', 'not_found'],
  }),
  resources: route({
    method: 'GET',
    path: '/templateversions/{templateversion}/resources',
    tag,
    id: 'get-resources-by-template-version',
    summary: 'Get resources by template version',
    description: 'What a workspace of this version would have, started and stopped. Refused while the import runs.',
    errors: ['forbidden', 'not_found'],
  }),
  richParameters: route({
    method: 'GET',
    path: '/templateversions/{templateversion}/rich-parameters',
    tag,
    id: 'get-rich-parameters-by-template-version',
    summary: 'Get rich parameters by template version',
    description: 'In display order. 403 while the import runs.',
    errors: ['forbidden', 'not_found'],
  }),
  variables: route({
    method: 'GET',
    path: '/templateversions/{templateversion}/variables',
    tag,
    id: 'get-template-variables-by-template-version',
    summary: 'Get template variables by template version',
    description: 'Sensitive values are redacted. 403 while the import runs.',
    errors: ['forbidden', 'not_found'],
  }),
  externalAuth: route({
    method: 'GET',
    path: '/templateversions/{templateversion}/external-auth',
    tag,
    id: 'get-external-auth-by-template-version',
    summary: 'Get external auth by template version',
    description: 'The external services that a workspace of this version uses, and whether the caller’s link to each works.',
    errors: ['forbidden', 'not_found'],
  }),
};
