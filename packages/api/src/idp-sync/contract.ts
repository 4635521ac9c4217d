import { timestamp, uuid } from '@berth/core';
import { SYNC_CHANGES, SYNC_KINDS, SYNC_OUTCOMES, SYNC_RULES, SYNC_STATUSES } from '@berth/domain';
import { z } from 'zod';
import { route } from '../kernel/route.ts';
import { OrganizationPath } from '../organizations/contract.ts';

const FIELD_LENGTH = 256;
const VALUE_LENGTH = 1024;
const MAPPINGS_MAX = 1000;
const TARGETS_MAX = 100;

const field = z
  .string()
  .max(FIELD_LENGTH)
  .meta({ description: 'The claim, or a path into nested claims such as `realm_access.roles`; empty turns the sync off.' });

const mappingOf = <T extends z.ZodType<string>>(target: T) =>
  z
    .record(z.string().max(VALUE_LENGTH), z.array(target).max(TARGETS_MAX))
    .refine((mapping) => Object.keys(mapping).length <= MAPPINGS_MAX, `must have at most ${MAPPINGS_MAX} entries`);

const organizationMapping = mappingOf(uuid()).meta({ description: 'Organization ids by claim value.' });
const groupMapping = mappingOf(uuid()).meta({ description: 'Group ids by claim value.' });
const roleMapping = mappingOf(z.string().min(1).max(64)).meta({ description: 'Role names by claim value.' });
/** A text, or null for no filter. The published schema also names the type that the contract gives it, an object, which is never sent. */
const regexFilter = z
  .string()
  .max(VALUE_LENGTH)
  .nullable()
  .meta({
    description: 'RE2 syntax; values without a match are left out. Null is no filter.',
    override: { anyOf: undefined, type: ['string', 'object', 'null'], maxLength: VALUE_LENGTH },
  });
const legacyMapping = z.record(z.string().max(VALUE_LENGTH), z.string().max(VALUE_LENGTH));

export const OrganizationSyncSettings = z
  .object({ field, mapping: organizationMapping, organization_assign_default: z.boolean() })
  .meta({ id: 'OrganizationSyncSettings', description: 'How a claim becomes organizations.' });
export type OrganizationSyncSettings = z.output<typeof OrganizationSyncSettings>;

export const GroupSyncSettings = z
  .object({
    field,
    mapping: groupMapping,
    regex_filter: regexFilter,
    auto_create_missing_groups: z.boolean(),
    legacy_group_name_mapping: legacyMapping.meta({ description: 'Read only; renames values before anything else.' }),
  })
  .meta({ id: 'GroupSyncSettings', description: 'How a claim becomes groups of one organization.' });
export type GroupSyncSettings = z.output<typeof GroupSyncSettings>;

export const RoleSyncSettings = z
  .object({ field, mapping: roleMapping })
  .meta({ id: 'RoleSyncSettings', description: 'How a claim becomes roles in one organization.' });
export type RoleSyncSettings = z.output<typeof RoleSyncSettings>;

export const UpdateOrganizationSync = OrganizationSyncSettings.partial();

export const UpdateGroupSync = OrganizationPath.extend(GroupSyncSettings.partial().shape).extend({
  legacy_group_name_mapping: legacyMapping.refine((mapping) => Object.keys(mapping).length === 0, 'is read only: use mapping').optional(),
});

export const UpdateRoleSync = OrganizationPath.extend(RoleSyncSettings.partial().shape);

export const ClaimFields = z.array(z.string());

/** Claims as a provider sends them; bounded like any other text that people paste. */
const Claims = z.record(z.string().max(1024), z.unknown()).refine((claims) => Object.keys(claims).length <= 1000, 'has too many claims');

export const DryRunIdpSync = z
  .object({
    claims: Claims.optional().meta({ description: 'The claims of a sign-in. Absent: those of the last sign-in of `user`.' }),
    user: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'Whose sign-in it would be: an id or a user name. Absent: somebody new.' }),
    provider: z.string().max(64).optional().meta({ description: 'The sign-on provider, for its site roles; absent: the first one.' }),
    organization: z.string().min(1).max(64).optional().meta({
      description: 'Only the groups and roles of this organization, for those who may not see the settings of the site.',
    }),
    settings: z
      .object({
        organization: UpdateOrganizationSync.optional(),
        groups: z.record(uuid(), GroupSyncSettings.partial()).optional(),
        roles: z.record(uuid(), RoleSyncSettings.partial()).optional(),
      })
      .optional()
      .meta({ description: 'Settings to try in place of the stored ones; those of groups and roles by organization id.' }),
  })
  .meta({ id: 'DryRunIdpSyncRequest' });

const part = {
  status: z.enum(SYNC_STATUSES).meta({ description: '`failed`: the claim cannot be read, so everything stays.' }),
  field: z.string(),
  problem: z.string(),
};
const change = z.enum(SYNC_CHANGES);
const place = { organization_id: uuid(), organization_name: z.string() };

export const IdpSyncTrace = z
  .object({
    kind: z.enum(SYNC_KINDS),
    organization_id: uuid().nullable(),
    field: z.string(),
    value: z.string().meta({ description: 'The claim value; empty where no single value is meant.' }),
    outcome: z.enum(SYNC_OUTCOMES),
    rule: z.enum(SYNC_RULES),
    target: z.string().meta({ description: 'Id of the organization or group, or name of the role or of the group to make.' }),
    target_name: z.string().meta({ description: 'What people call the target.' }),
    reason: z.string(),
  })
  .meta({ id: 'IdpSyncTrace', description: 'Why a claim value gave something, or nothing.' });

export const IdpSyncResult = z
  .object({
    user_id: uuid().nullable(),
    provider: z.string(),
    claims_from: timestamp().nullable().meta({ description: 'When the claims were received, if they are those of the last sign-in.' }),
    organizations: z.object({
      ...part,
      items: z.array(z.object({ id: uuid(), name: z.string(), display_name: z.string(), icon: z.string(), change })),
    }),
    groups: z.array(z.object({ ...place, ...part, items: z.array(z.object({ id: uuid().nullable(), name: z.string(), change })) })),
    organization_roles: z.array(
      z.object({ ...place, ...part, items: z.array(z.object({ name: z.string(), display_name: z.string(), change })) }),
    ),
    site_roles: z.object({ ...part, items: z.array(z.object({ name: z.string(), display_name: z.string(), change })) }),
    trace: z.array(IdpSyncTrace),
  })
  .meta({ id: 'IdpSyncResult', description: 'What a sign-in with these claims would give, and why. Nothing is changed.' });
export type IdpSyncResult = z.output<typeof IdpSyncResult>;

const settings = { tag: 'Enterprise', errors: ['forbidden', 'not_found'] } as const;

export const routes = {
  organization: route({
    method: 'GET',
    path: '/settings/idpsync/organization',
    id: 'get-organization-idp-sync-settings',
    summary: 'Get how claims become organizations',
    ...settings,
  }),
  updateOrganization: route({
    method: 'PATCH',
    path: '/settings/idpsync/organization',
    id: 'update-organization-idp-sync-settings',
    summary: 'Change how claims become organizations',
    description: 'Fields that are absent stay as they are. Takes effect at the next sign-in of each user.',
    ...settings,
  }),
  groups: route({
    method: 'GET',
    path: '/organizations/{organization}/settings/idpsync/groups',
    id: 'get-group-idp-sync-settings-by-organization',
    summary: 'Get how claims become groups',
    ...settings,
  }),
  updateGroups: route({
    method: 'PATCH',
    path: '/organizations/{organization}/settings/idpsync/groups',
    id: 'update-group-idp-sync-settings-by-organization',
    summary: 'Change how claims become groups',
    description: 'Fields that are absent stay as they are. Takes effect at the next sign-in of each user.',
    ...settings,
  }),
  roles: route({
    method: 'GET',
    path: '/organizations/{organization}/settings/idpsync/roles',
    id: 'get-role-idp-sync-settings-by-organization',
    summary: 'Get how claims become roles',
    ...settings,
  }),
  updateRoles: route({
    method: 'PATCH',
    path: '/organizations/{organization}/settings/idpsync/roles',
    id: 'update-role-idp-sync-settings-by-organization',
    summary: 'Change how claims become roles',
    description:
      'Fields that are absent stay as they are. Needs the right to give every role of the organization, since claims may then give each of them.',
    ...settings,
  }),
  availableFields: route({
    method: 'GET',
    path: '/settings/idpsync/available-fields',
    id: 'get-the-available-idp-sync-claim-fields',
    summary: 'List the claims that were seen',
    description: 'Of the last sign-in of each user; nested claims as paths.',
    ...settings,
  }),
  organizationFields: route({
    method: 'GET',
    path: '/organizations/{organization}/settings/idpsync/available-fields',
    id: 'get-the-available-organization-idp-sync-claim-fields',
    summary: 'List the claims that were seen of an organization’s members',
    description: 'Of the last sign-in of each member; nested claims as paths.',
    ...settings,
  }),
  dryRun: route({
    method: 'POST',
    path: '/settings/idpsync/dry-run',
    id: 'dry-run-idp-sync',
    summary: 'Try what claims would give',
    description:
      'Answers the organizations, groups and roles that a sign-in with these claims would give, each with its reason, and changes nothing.',
    ...settings,
  }),
};
