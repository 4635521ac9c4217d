import { userObject } from '@berth/rbac';
import { z } from 'zod';
import { Confirmation } from '../kernel/confirmation.ts';
import { publicProcedure, userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { Organization } from '../organizations/contract.ts';
import { autofillParameters } from './autofill-parameters.ts';
import {
  AutofillParameters,
  CreateFirstUser,
  CreateFirstUserResponse,
  CreateUser,
  ListUsers,
  UpdateAppearance,
  UpdatePassword,
  UpdateProfile,
  UpdateRoles,
  User,
  UserLoginType,
  UserOrganizationPath,
  UserPage,
  UserParameter,
  UserPath,
  UserRoles,
  routes,
} from './contract.ts';
import { createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import { createFirstUser, requireFirstUser } from './first-user.ts';
import { listUsers } from './list-users.ts';
import { resolveUser } from './resolve-user.ts';
import { activateUser, suspendUser } from './set-status.ts';
import { showUser } from './show-users.ts';
import { updateAppearance } from './update-appearance.ts';
import { updatePassword } from './update-password.ts';
import { updateProfile } from './update-profile.ts';
import { getUserRoles, updateUserRoles } from './update-roles.ts';
import { getLoginType, getUserOrganization, listUserOrganizations } from './user-organizations.ts';

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
      return showUser(ctx.db, user);
    }),

  delete: userProcedure
    .meta({ ...routes.delete, permission: 'user:delete', audit: { resource: 'user', action: 'delete' } })
    .input(UserPath)
    .output(Confirmation)
    .mutation(({ ctx, input }) => deleteUser(ctx, input)),

  updateProfile: userProcedure
    .meta({ ...routes.updateProfile, permission: 'user:update_personal', audit: { resource: 'user', action: 'write' } })
    .input(UpdateProfile)
    .output(User)
    .mutation(({ ctx, input }) => updateProfile(ctx, input)),

  updatePassword: userProcedure
    .meta({ ...routes.updatePassword, permission: 'user:update_personal', audit: { resource: 'user', action: 'write' } })
    .input(UpdatePassword)
    .output(z.void())
    .mutation(({ ctx, input }) => updatePassword(ctx, input)),

  suspend: userProcedure
    .meta({ ...routes.suspend, permission: 'user:update', audit: { resource: 'user', action: 'write' } })
    .input(UserPath)
    .output(User)
    .mutation(({ ctx, input }) => suspendUser(ctx, input)),

  activate: userProcedure
    .meta({ ...routes.activate, permission: 'user:update', audit: { resource: 'user', action: 'write' } })
    .input(UserPath)
    .output(User)
    .mutation(({ ctx, input }) => activateUser(ctx, input)),

  roles: userProcedure
    .meta({ ...routes.roles, permission: 'user:read_personal' })
    .input(UserPath)
    .output(UserRoles)
    .query(({ ctx, input }) => getUserRoles(ctx, input)),

  updateRoles: userProcedure
    .meta({ ...routes.updateRoles, permission: 'assign_role:assign', audit: { resource: 'user', action: 'write' } })
    .input(UpdateRoles)
    .output(User)
    .mutation(({ ctx, input }) => updateUserRoles(ctx, input)),

  loginType: userProcedure
    .meta({ ...routes.loginType, permission: 'user:read_personal' })
    .input(UserPath)
    .output(UserLoginType)
    .query(({ ctx, input }) => getLoginType(ctx, input)),

  organizations: userProcedure
    .meta({ ...routes.organizations, permission: 'organization:read' })
    .input(UserPath)
    .output(z.array(Organization))
    .query(({ ctx, input }) => listUserOrganizations(ctx, input)),

  organizationByName: userProcedure
    .meta({ ...routes.organizationByName, permission: 'organization:read' })
    .input(UserOrganizationPath)
    .output(Organization)
    .query(({ ctx, input }) => getUserOrganization(ctx, input)),

  autofillParameters: userProcedure
    .meta({ ...routes.autofillParameters, permission: 'user:read_personal' })
    .input(AutofillParameters)
    .output(z.array(UserParameter))
    .query(({ ctx, input }) => autofillParameters(ctx, input)),

  updateAppearance: userProcedure
    .meta({ ...routes.updateAppearance, permission: 'user:update_personal', audit: { resource: 'user', action: 'write' } })
    .input(UpdateAppearance)
    .output(User)
    .mutation(({ ctx, input }) => updateAppearance(ctx, input)),
});
