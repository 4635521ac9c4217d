import { pageLimit, pageOffset, timestamp, uuid } from '@berth/core';
import { z } from 'zod';
import { route } from '../kernel/route.ts';
import { OrganizationPath } from '../organizations/contract.ts';
import { SlimRole, UserPath } from '../users/contract.ts';

const member = {
  user_id: uuid(),
  organization_id: uuid(),
  roles: z.array(SlimRole).meta({ description: 'Roles given in this organization.' }),
  created_at: timestamp(),
  updated_at: timestamp(),
};

export const OrganizationMember = z
  .object(member)
  .meta({ id: 'OrganizationMember', description: 'A user as a member of an organization.' });
export type OrganizationMember = z.output<typeof OrganizationMember>;

export const OrganizationMemberWithUser = z
  .object({
    ...member,
    username: z.string(),
    name: z.string(),
    email: z.string(),
    avatar_url: z.string(),
    global_roles: z.array(SlimRole).meta({ description: 'Roles given for the whole site.' }),
  })
  .meta({ id: 'OrganizationMemberWithUserData', description: 'A member, with what others see of the user.' });
export type OrganizationMemberWithUser = z.output<typeof OrganizationMemberWithUser>;

export const ListMembers = OrganizationPath.extend({
  q: z.string().max(200).optional().meta({
    description: 'Words that must all be in the user name, the name or the e-mail address, or name a role that the member has here.',
  }),
  limit: pageLimit(10_000, 10_000),
  offset: pageOffset(),
});

export const MemberPath = OrganizationPath.extend({ user: UserPath.shape.user });

export const UpdateMemberRoles = MemberPath.extend({
  roles: z.array(z.string().max(64)).max(100).meta({ description: 'All the roles that the member has then.' }),
});

export const routes = {
  list: route({
    method: 'GET',
    path: '/organizations/{organization}/members',
    tag: 'Members',
    id: 'list-organization-members',
    summary: 'List the members of an organization',
    errors: ['not_found'],
  }),
  add: route({
    method: 'POST',
    path: '/organizations/{organization}/members/{user}',
    tag: 'Members',
    id: 'add-organization-member',
    summary: 'Add a user to an organization',
    errors: ['forbidden', 'not_found'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/organizations/{organization}/members/{user}',
    tag: 'Members',
    id: 'remove-organization-member',
    summary: 'Remove a user from an organization',
    description: 'Also from its groups. Workspaces stay, out of reach of their owner until they are added again.',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
  updateRoles: route({
    method: 'PUT',
    path: '/organizations/{organization}/members/{user}/roles',
    tag: 'Members',
    id: 'assign-role-to-organization-member',
    summary: 'Set the roles of a member',
    errors: ['forbidden', 'not_found'],
  }),
};
