import { queryList, uuid } from '@berth/core';
import { GROUP_SOURCES } from '@berth/domain';
import { z } from 'zod';
import { nameField } from '../kernel/name-field.ts';
import { route } from '../kernel/route.ts';
import { organizationParam, OrganizationPath } from '../organizations/contract.ts';
import { ReducedUser } from '../users/contract.ts';

export const Group = z
  .object({
    id: uuid(),
    name: z.string(),
    display_name: z.string(),
    avatar_url: z.string(),
    quota_allowance: z.int(),
    members: z.array(ReducedUser).meta({ description: 'The members that the caller may read.' }),
    total_member_count: z.int().meta({ description: 'All members, whether or not the caller may read them.' }),
    organization_id: uuid(),
    organization_name: z.string(),
    organization_display_name: z.string(),
    source: z.enum(GROUP_SOURCES).meta({ id: 'GroupSource' }),
  })
  .meta({
    id: 'Group',
    description: 'A group of an organization. Everyone has the organization’s id and holds all its members.',
  });
export type Group = z.output<typeof Group>;

export const CreateGroup = OrganizationPath.extend({
  name: nameField('group_name'),
  display_name: nameField('display_name').default(''),
  avatar_url: z.string().max(2048).default(''),
  quota_allowance: z.int().min(0).max(2_147_483_647).default(0),
}).meta({ id: 'CreateGroupRequest' });

const Members = z.array(z.string().min(1).max(64)).max(1000);

/** What is absent stays as it is. People are named by id or by user name. */
export const UpdateGroup = z
  .object({
    group: uuid(),
    name: z.string().max(1000).optional(),
    display_name: nameField('display_name').optional(),
    avatar_url: z.string().max(2048).optional(),
    quota_allowance: z.int().min(0).max(2_147_483_647).optional(),
    add_users: Members.optional().meta({ description: 'User ids or user names of members of the organization.' }),
    remove_users: Members.optional().meta({ description: 'User ids or user names of members of the group.' }),
  })
  .meta({ id: 'PatchGroupRequest' });

const GroupFilters = {
  has_member: z.string().min(1).max(64).optional().meta({ description: 'Only groups with this member: a user id or a user name.' }),
  group_ids: queryList(uuid(), 1000).optional().meta({ description: 'Only groups with these ids, separated by commas.' }),
};

/** Unknown query keys are refused, so that a misspelt filter never answers with every group. */
export const ListGroups = z.strictObject({
  organization: organizationParam().optional(),
  ...GroupFilters,
});
export const ListOrganizationGroups = z.strictObject({
  organization: organizationParam(),
  ...GroupFilters,
});

export const GroupPath = z.object({ group: uuid() });
export const GroupByNamePath = OrganizationPath.extend({
  groupName: z.string().min(1).max(255).meta({ description: 'The group’s name, in the case in which it was given.' }),
});

export const routes = {
  update: route({
    method: 'PATCH',
    path: '/groups/{group}',
    tag: 'Enterprise',
    id: 'update-group-by-name',
    summary: 'Change a group and its members',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/groups/{group}',
    tag: 'Enterprise',
    id: 'delete-group-by-name',
    summary: 'Delete a group',
    description: 'Answers the group as it was.',
    errors: ['forbidden', 'not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/organizations/{organization}/groups',
    tag: 'Enterprise',
    id: 'create-group-for-organization',
    summary: 'Create a group in an organization',
    status: 201,
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  list: route({
    method: 'GET',
    path: '/groups',
    tag: 'Enterprise',
    id: 'get-groups',
    summary: 'List groups',
    errors: ['not_found'],
  }),
  listByOrganization: route({
    method: 'GET',
    path: '/organizations/{organization}/groups',
    tag: 'Enterprise',
    id: 'get-groups-by-organization',
    summary: 'List the groups of an organization',
    errors: ['not_found'],
  }),
  get: route({
    method: 'GET',
    path: '/groups/{group}',
    tag: 'Enterprise',
    id: 'get-group-by-id',
    summary: 'Get a group',
    errors: ['not_found'],
  }),
  getByName: route({
    method: 'GET',
    path: '/organizations/{organization}/groups/{groupName}',
    tag: 'Enterprise',
    id: 'get-group-by-organization-and-group-name',
    summary: 'Get a group by its name',
    errors: ['not_found'],
  }),
};
