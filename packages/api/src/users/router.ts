import { userObject } from '@berth/rbac';
import { z } from 'zod';
import { Confirmation } from '../kernel/confirmation.ts';
import { publicProcedure, userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import {
  CreateFirstUser,
  CreateFirstUserResponse,
  CreateUser,
  ListUsers,
  UpdateAppearance,
  User,
  UserPage,
  UserPath,
  routes,
} from './contract.ts';
import { createUser } from './create-user.ts';
import { createFirstUser, requireFirstUser } from './first-user.ts';
import { listUsers } from './list-users.ts';
import { presentUser } from './presenter.ts';
import { resolveUser } from './resolve-user.ts';
import { updateAppearance } from './update-appearance.ts';

export const usersRouter = t.router({
  hasFirst: publicProcedure
    .meta({ ...routes.hasFirst, permission: 'public' })
    .input(z.object({}))
    .output(Confirmation)
    .query(({ ctx }) => requireFirstUser(ctx.services)),

  createFirst: publicProcedure
    .meta({ ...routes.createFirst, permission: 'public', audit: { resource: 'user', action: 'create' } })
    .input(CreateFirstUser)
    .output(CreateFirstUserResponse)
    .mutation(({ ctx, input }) => createFirstUser(ctx, input)),

  list: userProcedure
    .meta({ ...routes.list, permission: 'user:read' })
    .input(ListUsers)
    .output(UserPage)
    .query(({ ctx, input }) => listUsers(ctx, input)),

  create: userProcedure
    .meta({ ...routes.create, permission: 'user:create', audit: { resource: 'user', action: 'create' } })
    .input(CreateUser)
    .output(User)
    .mutation(({ ctx, input }) => createUser(ctx, input)),

  get: userProcedure
    .meta({ ...routes.get, permission: 'user:read' })
    .input(UserPath)
    .output(User)
    .query(async ({ ctx, input }) => {
      const user = await resolveUser(ctx, input.user);
      ctx.authorize.require(userObject(user.id));
      return presentUser(user);
    }),

  updateAppearance: userProcedure
    .meta({ ...routes.updateAppearance, permission: 'user:update_personal', audit: { resource: 'user', action: 'write' } })
    .input(UpdateAppearance)
    .output(User)
    .mutation(({ ctx, input }) => updateAppearance(ctx, input)),
});
