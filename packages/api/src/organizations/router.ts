import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { Organization, OrganizationPath, routes } from './contract.ts';
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
});
