import { pageLimit, pageOffset, uuid } from '@berth/core';
import { TEMPLATE_ROLES } from '@berth/domain';
import { z } from 'zod';
import { Confirmation } from '../../kernel/confirmation.ts';
import { route } from '../../kernel/route.ts';
import { Group } from '../../groups/contract.ts';
import { ReducedUser, User } from '../../users/contract.ts';

export const TemplateRole = z.enum(TEMPLATE_ROLES).meta({
  id: 'TemplateRole',
  description: '`use` makes workspaces from the template, `admin` does everything with it, the empty string takes the access away.',
});
export type TemplateRole = z.output<typeof TemplateRole>;

export const TemplateUser = User.extend({ role: TemplateRole }).meta({
  id: 'TemplateUser',
  description: 'Somebody who was given access to a template by name.',
});
export type TemplateUser = z.output<typeof TemplateUser>;

export const TemplateGroup = Group.extend({ role: TemplateRole }).meta({
  id: 'TemplateGroup',
  description: 'A group that was given access to a template.',
});
export type TemplateGroup = z.output<typeof TemplateGroup>;

export const TemplateAcl = z.object({ users: z.array(TemplateUser), group: z.array(TemplateGroup) }).meta({
  id: 'TemplateACL',
  description: 'Who was given access to a template, beside those whose roles give it.',
});
export type TemplateAcl = z.output<typeof TemplateAcl>;
export const TemplateUserList = z.array(TemplateUser);

const Permissions = z
  .record(z.string().max(64), TemplateRole)
  .refine((perms) => Object.keys(perms).length <= 1000, 'must have at most 1000 entries')
  .optional();

export const UpdateTemplateAclRequest = z
  .object({
    user_perms: Permissions.meta({ description: 'Roles by user id. Who is absent stays as they are.' }),
    group_perms: Permissions.meta({ description: 'Roles by group id. Everyone has the id of the organization.' }),
  })
  .meta({ id: 'UpdateTemplateACL' });
export const UpdateTemplateAclInput = UpdateTemplateAclRequest.extend({ template: uuid() });
export type UpdateTemplateAclInput = z.output<typeof UpdateTemplateAclInput>;
export const UpdateTemplateAclOutput = Confirmation;

export const AvailableAclInput = z.object({
  template: uuid(),
  q: z
    .string()
    .max(1000)
    .optional()
    .meta({ description: 'A part of the user name, the name or the e-mail address; or of the group’s name.' }),
  limit: pageLimit(100, 1000).meta({ description: 'How many users. Groups come all.' }),
  offset: pageOffset(),
});
export type AvailableAclInput = z.output<typeof AvailableAclInput>;

export const AclAvailable = z
  .object({ users: z.array(ReducedUser), groups: z.array(Group) })
  .meta({ id: 'ACLAvailable', description: 'Who can be given access to a template.' });
export type AclAvailable = z.output<typeof AclAvailable>;
export const AclAvailableList = z.array(AclAvailable);

const tag = 'Enterprise';

export const aclRoutes = {
  aclUsers: route({
    method: 'GET',
    path: '/templates/{template}/acl',
    tag,
    id: 'get-template-acls',
    summary: 'Get template ACLs',
    description: 'The users that were given access by name; `/templates/{template}/acl/all` has the groups too.',
    errors: ['forbidden', 'not_found'],
  }),
  acl: route({
    method: 'GET',
    path: '/templates/{template}/acl/all',
    tag,
    id: 'get-template-acl-users-and-groups',
    summary: 'Get the users and groups that were given access to a template',
    errors: ['forbidden', 'not_found'],
  }),
  aclAvailable: route({
    method: 'GET',
    path: '/templates/{template}/acl/available',
    tag,
    id: 'get-template-available-acl-usersgroups',
    summary: 'Get template available acl users/groups',
    description:
      'An array of one object: members of the template’s organization, users that the caller may read, and the organization’s groups.',
    errors: ['forbidden', 'not_found'],
  }),
  updateAcl: route({
    method: 'PATCH',
    path: '/templates/{template}/acl',
    tag,
    id: 'update-template-acl',
    summary: 'Update template ACL',
    errors: ['forbidden', 'not_found'],
  }),
};
