import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { CreateGroup, Group, GroupByNamePath, GroupPath, ListGroups, ListOrganizationGroups, UpdateGroup, routes } from './contract.ts';
import { createGroup } from './create-group.ts';
import { deleteGroup } from './delete-group.ts';
import { getGroup, getGroupByName, listGroups, listOrganizationGroups } from './read-groups.ts';
import { updateGroup } from './update-group.ts';

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

  update: userProcedure
    .meta({ ...routes.update, permission: 'group:update', audit: { resource: 'group', action: 'write' } })
    .input(UpdateGroup)
    .output(Group)
    .mutation(({ ctx, input }) => updateGroup(ctx, input)),

  delete: userProcedure
    .meta({ ...routes.delete, permission: 'group:delete', audit: { resource: 'group', action: 'delete' } })
    .input(GroupPath)
    .output(Group)
    .mutation(({ ctx, input }) => deleteGroup(ctx, input)),
});
