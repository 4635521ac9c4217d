import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { addMember } from './add-member.ts';
import { ListMembers, MemberPath, OrganizationMember, OrganizationMemberWithUser, UpdateMemberRoles, routes } from './contract.ts';
import { listMembers } from './list-members.ts';
import { removeMember } from './remove-member.ts';
import { updateMemberRoles } from './update-roles.ts';

export const membersRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'organization_member:read' })
    .input(ListMembers)
    .output(z.array(OrganizationMemberWithUser))
    .query(({ ctx, input }) => listMembers(ctx, input)),

  add: userProcedure
    .meta({ ...routes.add, permission: 'organization_member:create', audit: { resource: 'organization_member', action: 'create' } })
    .input(MemberPath)
    .output(OrganizationMember)
    .mutation(({ ctx, input }) => addMember(ctx, input)),

  remove: userProcedure
    .meta({ ...routes.remove, permission: 'organization_member:delete', audit: { resource: 'organization_member', action: 'delete' } })
    .input(MemberPath)
    .output(z.void())
    .mutation(({ ctx, input }) => removeMember(ctx, input)),

  updateRoles: userProcedure
    .meta({ ...routes.updateRoles, permission: 'assign_org_role:assign', audit: { resource: 'organization_member', action: 'write' } })
    .input(UpdateMemberRoles)
    .output(OrganizationMember)
    .mutation(({ ctx, input }) => updateMemberRoles(ctx, input)),
});
