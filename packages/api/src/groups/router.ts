import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { CreateGroup, Group, GroupByNamePath, GroupPath, ListGroups, ListOrganizationGroups, routes } from './contract.ts';
import { createGroup } from './create-group.ts';
import { getGroup, getGroupByName, listGroups, listOrganizationGroups } from './read-groups.ts';

export const groupsRouter = t.router({
  create: userProcedure
    .meta({ ...routes.create, permission: 'group:create', audit: { resource: 'group', action: 'create' } })
    .input(CreateGroup)
    .output(Group)
    .mutation(({ ctx, input }) => createGroup(ctx, input)),

  list: userProcedure
    .meta({ ...routes.list, permission: 'group:read' })
    .input(ListGroups)
    .output(z.array(Group))
    .query(({ ctx, input }) => listGroups(ctx, input)),

  listByOrganization: userProcedure
    .meta({ ...routes.listByOrganization, permission: 'group:read' })
    .input(ListOrganizationGroups)
    .output(z.array(Group))
    .query(({ ctx, input }) => listOrganizationGroups(ctx, input)),

  get: userProcedure
    .meta({ ...routes.get, permission: 'group:read' })
    .input(GroupPath)
    .output(Group)
    .query(({ ctx, input }) => getGroup(ctx, input)),

  getByName: userProcedure
    .meta({ ...routes.getByName, permission: 'group:read' })
    .input(GroupByNamePath)
    .output(Group)
    .query(({ ctx, input }) => getGroupByName(ctx, input)),
});
