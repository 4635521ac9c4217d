import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { OrganizationPath } from '../organizations/contract.ts';
import {
  ClaimFields,
  DryRunIdpSync,
  GroupSyncSettings,
  IdpSyncResult,
  OrganizationSyncSettings,
  RoleSyncSettings,
  UpdateGroupSync,
  UpdateOrganizationSync,
  UpdateRoleSync,
  routes,
} from './contract.ts';
import { dryRunIdpSync } from './dry-run.ts';
import { availableFields, organizationFields } from './fields.ts';
import { organizationOfSync, syncObject } from './places.ts';
import { readGroupSync, readOrganizationSync, readRoleSync } from './settings.ts';
import { updateGroupSync, updateOrganizationSync, updateRoleSync } from './update-settings.ts';

const write = { permission: 'idpsync_settings:update', audit: { resource: 'idp_sync_settings', action: 'write' } } as const;
const read = { permission: 'idpsync_settings:read' } as const;

export const idpSyncRouter = t.router({
  organization: userProcedure
    .meta({ ...routes.organization, ...read })
    .input(z.object({}))
    .output(OrganizationSyncSettings)
    .query(({ ctx }) => {
      ctx.authorize.require(syncObject(null), { sitewide: true });
      return readOrganizationSync(ctx.db);
    }),

  updateOrganization: userProcedure
    .meta({ ...routes.updateOrganization, ...write })
    .input(UpdateOrganizationSync)
    .output(OrganizationSyncSettings)
    .mutation(({ ctx, input }) => updateOrganizationSync(ctx, input)),

  groups: userProcedure
    .meta({ ...routes.groups, ...read })
    .input(OrganizationPath)
    .output(GroupSyncSettings)
    .query(async ({ ctx, input }) => readGroupSync(ctx.db, (await organizationOfSync(ctx, input.organization)).id)),

  updateGroups: userProcedure
    .meta({ ...routes.updateGroups, ...write })
    .input(UpdateGroupSync)
    .output(GroupSyncSettings)
    .mutation(({ ctx, input }) => updateGroupSync(ctx, input)),

  roles: userProcedure
    .meta({ ...routes.roles, ...read })
    .input(OrganizationPath)
    .output(RoleSyncSettings)
    .query(async ({ ctx, input }) => readRoleSync(ctx.db, (await organizationOfSync(ctx, input.organization)).id)),

  updateRoles: userProcedure
    .meta({ ...routes.updateRoles, ...write })
    .input(UpdateRoleSync)
    .output(RoleSyncSettings)
    .mutation(({ ctx, input }) => updateRoleSync(ctx, input)),

  availableFields: userProcedure
    .meta({ ...routes.availableFields, ...read })
    .input(z.object({}))
    .output(ClaimFields)
    .query(({ ctx }) => availableFields(ctx)),

  organizationFields: userProcedure
    .meta({ ...routes.organizationFields, ...read })
    .input(OrganizationPath)
    .output(ClaimFields)
    .query(({ ctx, input }) => organizationFields(ctx, input)),

  dryRun: userProcedure
    .meta({ ...routes.dryRun, ...read, audit: { none: 'it changes nothing' } })
    .input(DryRunIdpSync)
    .output(IdpSyncResult)
    .mutation(({ ctx, input }) => dryRunIdpSync(ctx, input)),
});
