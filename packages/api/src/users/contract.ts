import { pageLimit, pageOffset, timestamp, uuid } from '@berth/core';
import { LOGIN_TYPES, USER_STATUSES } from '@berth/domain';
import { z } from 'zod';
import { nameField } from '../kernel/name-field.ts';
import { route } from '../kernel/route.ts';

export const SlimRole = z
  .object({ name: z.string(), display_name: z.string(), organization_id: z.string() })
  .meta({ id: 'SlimRole', description: 'A granted role; `organization_id` is empty for a site role.' });

const reducedUser = {
  id: uuid(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  avatar_url: z.string(),
  created_at: timestamp(),
  updated_at: timestamp(),
  last_seen_at: timestamp().nullable(),
  login_type: z.enum(LOGIN_TYPES),
  status: z.enum(USER_STATUSES),
  theme_preference: z.string(),
};

export const ReducedUser = z.object(reducedUser).meta({ id: 'ReducedUser', description: 'A user as a member of a group.' });
export type ReducedUser = z.output<typeof ReducedUser>;

export const User = z
  .object({ ...reducedUser, organization_ids: z.array(uuid()), roles: z.array(SlimRole) })
  .meta({ id: 'User', description: 'An account of a person or program.' });
export type User = z.output<typeof User>;

export const UserPath = z.object({
  user: z.string().min(1).max(64).meta({ description: 'A user id, a user name, or `me`.' }),
});

export const ListUsers = z.object({
  q: z
    .string()
    .max(1000)
    .optional()
    .meta({ description: 'Search: free text, `status:`, `role:`, `last_seen_before:`, `last_seen_after:`.' }),
  after_id: uuid().optional().meta({ description: 'Only users after this one in the list.' }),
  limit: pageLimit(100, 1000),
  offset: pageOffset(),
});

export const UserPage = z
  .object({ users: z.array(User), count: z.int() })
  .meta({ id: 'GetUsersResponse', description: 'A page of users.' });

const Username = z.string().max(32);
const Password = z.string().max(1024);

export const CreateUser = z
  .object({
    email: z.string().max(320),
    username: Username,
    name: z.string().max(128).default(''),
    password: Password.default(''),
    login_type: z.enum(LOGIN_TYPES).default('password'),
    user_status: z.enum(USER_STATUSES).optional(),
    organization_ids: z.array(uuid()).max(100).optional(),
  })
  .meta({ id: 'CreateUserRequestWithOrgs' });

export const CreateFirstUser = z
  .object({
    email: z.string().max(320),
    username: Username,
    name: z.string().max(128).default(''),
    password: Password,
    trial: z.boolean().optional(),
    trial_info: z
      .object({
        company_name: z.string().max(256).optional(),
        country: z.string().max(256).optional(),
        developers: z.string().max(256).optional(),
        first_name: z.string().max(256).optional(),
        job_title: z.string().max(256).optional(),
        last_name: z.string().max(256).optional(),
        phone_number: z.string().max(256).optional(),
      })
      .optional()
      .meta({ description: 'Accepted and not kept: there is nothing to try out, everything is on.' }),
  })
  .meta({ id: 'CreateFirstUserRequest' });

export const CreateFirstUserResponse = z.object({ user_id: uuid(), organization_id: uuid() }).meta({ id: 'CreateFirstUserResponse' });

export const UpdateAppearance = UserPath.extend({
  theme_preference: z.string().trim().min(1, 'must not be empty').max(64).optional(),
});

export const UpdateProfile = UserPath.extend({
  username: nameField('name').optional(),
  name: nameField('real_name').optional(),
}).meta({ id: 'UpdateUserProfileRequest' });

export const UpdatePassword = UserPath.extend({
  old_password: Password.optional().meta({ description: 'Needed to change one’s own password.' }),
  password: Password,
}).meta({ id: 'UpdateUserPasswordRequest' });

export const UpdateRoles = UserPath.extend({
  roles: z
    .array(z.string().min(1).max(64))
    .max(100)
    .optional()
    .meta({ description: 'The whole set of site roles. `member` is implied and may be left out.' }),
}).meta({ id: 'UpdateRoles' });

export const UserRoles = User.extend({
  organization_roles: z
    .record(uuid(), z.array(z.string()))
    .meta({ description: 'The granted roles in each organization of the user, by its id.' }),
}).meta({ id: 'UserRoles', description: 'A user with everything that roles give them.' });
export type UserRoles = z.output<typeof UserRoles>;

export const UserLoginType = z.object({ login_type: z.enum(LOGIN_TYPES) }).meta({ id: 'UserLoginType' });

export const UserOrganizationPath = UserPath.extend({
  organizationname: z.string().min(1).max(64).meta({ description: 'The name of an organization, or its id.' }),
});

export const AutofillParameters = UserPath.extend({ template_id: uuid() });

export const UserParameter = z
  .object({ name: z.string(), value: z.string() })
  .meta({ id: 'UserParameter', description: 'The value that a user gave a parameter last.' });

export const routes = {
  list: route({ method: 'GET', path: '/users', tag: 'Users', id: 'get-users', summary: 'List users' }),
  create: route({
    method: 'POST',
    path: '/users',
    tag: 'Users',
    id: 'create-new-user',
    summary: 'Create a user',
    status: 201,
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  get: route({ method: 'GET', path: '/users/{user}', tag: 'Users', id: 'get-user-by-name', summary: 'Get a user', errors: ['not_found'] }),
  delete: route({
    method: 'DELETE',
    path: '/users/{user}',
    tag: 'Users',
    id: 'delete-user',
    summary: 'Delete a user',
    description: 'Ends all sessions, tokens, links and memberships, and frees the user name and the e-mail address.',
    errors: ['forbidden', 'not_found', 'conflict', 'has_dependents'],
  }),
  updateProfile: route({
    method: 'PUT',
    path: '/users/{user}/profile',
    tag: 'Users',
    id: 'update-user-profile',
    summary: 'Update a user’s profile',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  updatePassword: route({
    method: 'PUT',
    path: '/users/{user}/password',
    tag: 'Users',
    id: 'update-user-password',
    summary: 'Update a user’s password',
    description: 'Ends every session and token of the user, also the one that asks.',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
  suspend: route({
    method: 'PUT',
    path: '/users/{user}/status/suspend',
    tag: 'Users',
    id: 'suspend-user-account',
    summary: 'Suspend a user',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  activate: route({
    method: 'PUT',
    path: '/users/{user}/status/activate',
    tag: 'Users',
    id: 'activate-user-account',
    summary: 'Activate a user',
    errors: ['forbidden', 'not_found'],
  }),
  roles: route({
    method: 'GET',
    path: '/users/{user}/roles',
    tag: 'Users',
    id: 'get-user-roles',
    summary: 'Get a user’s roles',
    errors: ['forbidden', 'not_found'],
  }),
  updateRoles: route({
    method: 'PUT',
    path: '/users/{user}/roles',
    tag: 'Users',
    id: 'assign-role-to-user',
    summary: 'Replace a user’s site roles',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  loginType: route({
    method: 'GET',
    path: '/users/{user}/login-type',
    tag: 'Users',
    id: 'get-user-login-type',
    summary: 'How one’s own account signs in',
    errors: ['forbidden', 'not_found'],
  }),
  organizations: route({
    method: 'GET',
    path: '/users/{user}/organizations',
    tag: 'Users',
    id: 'get-organizations-by-user',
    summary: 'List a user’s organizations',
    errors: ['not_found'],
  }),
  organizationByName: route({
    method: 'GET',
    path: '/users/{user}/organizations/{organizationname}',
    tag: 'Users',
    id: 'get-organization-by-user-and-organization-name',
    summary: 'Get an organization of a user by its name',
    errors: ['not_found'],
  }),
  autofillParameters: route({
    method: 'GET',
    path: '/users/{user}/autofill-parameters',
    tag: 'Users',
    id: 'get-autofill-build-parameters-for-user',
    summary: 'The values a user gave last to a template’s parameters',
    errors: ['forbidden', 'not_found'],
  }),
  updateAppearance: route({
    method: 'PUT',
    path: '/users/{user}/appearance',
    tag: 'Users',
    id: 'update-user-appearance-settings',
    summary: 'Update a user’s appearance settings',
    errors: ['forbidden', 'not_found'],
  }),
  hasFirst: route({
    method: 'GET',
    path: '/users/first',
    tag: 'Users',
    id: 'check-initial-user-created',
    summary: 'Whether the first user exists',
    description: '404 as long as there is none.',
    errors: ['not_found'],
  }),
  createFirst: route({
    method: 'POST',
    path: '/users/first',
    tag: 'Users',
    id: 'create-initial-user',
    summary: 'Create the first user, who owns the deployment',
    status: 201,
    errors: ['conflict'],
  }),
};
