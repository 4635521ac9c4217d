import { pageLimit, pageOffset, timestamp, uuid } from '@berth/core';
import { LOGIN_TYPES, USER_STATUSES } from '@berth/domain';
import { z } from 'zod';
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
