import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { OrganizationPath } from '../organizations/contract.ts';
import { AssignableRole, OrganizationRole, OrganizationRolePath, Role, SiteRole, SiteRolePath, routes } from './contract.ts';
import { createRole, deleteRole, updateRole } from './change-role.ts';
import { listOrganizationRoles, listSiteRoles } from './list-roles.ts';

export const rolesRouter = t.router({
  listSite: userProcedure
    .meta({ ...routes.listSite, permission: 'assign_role:read' })
    .input(z.object({}))
    .output(z.array(AssignableRole))
    .query(({ ctx }) => listSiteRoles(ctx)),

  createSite: userProcedure
    .meta({ ...routes.createSite, permission: 'assign_role:create', audit: { resource: 'custom_role', action: 'create' } })
    .input(SiteRole)
    .output(z.array(Role))
    .mutation(({ ctx, input }) => createRole(ctx, input)),

  updateSite: userProcedure
    .meta({ ...routes.updateSite, permission: 'assign_role:update', audit: { resource: 'custom_role', action: 'write' } })
    .input(SiteRole)
    .output(z.array(Role))
    .mutation(({ ctx, input }) => updateRole(ctx, input)),

  deleteSite: userProcedure
    .meta({ ...routes.deleteSite, permission: 'assign_role:delete', audit: { resource: 'custom_role', action: 'delete' } })
    .input(SiteRolePath)
    .output(z.array(Role))
    .mutation(({ ctx, input }) => deleteRole(ctx, input)),

  listOrganization: userProcedure
    .meta({ ...routes.listOrganization, permission: 'assign_org_role:read' })
    .input(OrganizationPath)
    .output(z.array(AssignableRole))
    .query(({ ctx, input }) => listOrganizationRoles(ctx, input)),

  createOrganization: userProcedure
    .meta({ ...routes.createOrganization, permission: 'assign_org_role:create', audit: { resource: 'custom_role', action: 'create' } })
    .input(OrganizationRole)
    .output(z.array(Role))
    .mutation(({ ctx, input }) => createRole(ctx, input)),

  updateOrganization: userProcedure
    .meta({ ...routes.updateOrganization, permission: 'assign_org_role:update', audit: { resource: 'custom_role', action: 'write' } })
    .input(OrganizationRole)
    .output(z.array(Role))
    .mutation(({ ctx, input }) => updateRole(ctx, input)),

  deleteOrganization: userProcedure
    .meta({ ...routes.deleteOrganization, permission: 'assign_org_role:delete', audit: { resource: 'custom_role', action: 'delete' } })
    .input(OrganizationRolePath)
    .output(z.array(Role))
    .mutation(({ ctx, input }) => deleteRole(ctx, input)),
});
