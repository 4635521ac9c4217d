import { z } from 'zod';
import { Confirmation } from '../kernel/confirmation.ts';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { changeOrganization } from './change-organization.ts';
import { CreateOrganization, Organization, OrganizationPath, UpdateOrganization, routes } from './contract.ts';
import { createOrganization } from './create-organization.ts';
import { deleteOrganization } from './delete-organization.ts';
import { getOrganization, listOrganizations } from './list-organizations.ts';

export const organizationsRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'organization:read' })
    .input(z.object({}))
    .output(z.array(Organization))
    .query(({ ctx }) => listOrganizations(ctx)),

  get: userProcedure
    .meta({ ...routes.get, permission: 'organization:read' })
    .input(OrganizationPath)
    .output(Organization)
    .query(({ ctx, input }) => getOrganization(ctx, input)),

  create: userProcedure
    .meta({ ...routes.create, permission: 'organization:create', audit: { resource: 'organization', action: 'create' } })
    .input(CreateOrganization)
    .output(Organization)
    .mutation(({ ctx, input }) => createOrganization(ctx, input)),

  update: userProcedure
    .meta({ ...routes.update, permission: 'organization:update', audit: { resource: 'organization', action: 'write' } })
    .input(UpdateOrganization)
    .output(Organization)
    .mutation(({ ctx, input }) => changeOrganization(ctx, input)),

  delete: userProcedure
    .meta({ ...routes.delete, permission: 'organization:delete', audit: { resource: 'organization', action: 'delete' } })
    .input(OrganizationPath)
    .output(Confirmation)
    .mutation(({ ctx, input }) => deleteOrganization(ctx, input)),
});
