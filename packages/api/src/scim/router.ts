import { z } from 'zod';
import { publicProcedure, scimProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { User } from '../users/contract.ts';
import {
  ChangeScim,
  CreateScim,
  ListScim,
  ScimDocument,
  ScimGroup,
  ScimGroupPage,
  ScimGroupPath,
  ScimPath,
  ScimUser,
  ScimUserPage,
} from './contract.ts';
import { documentList, documentWith, resourceTypeDocuments, schemaDocuments, serviceProviderConfig } from './discovery.ts';
import { createScimGroup, deleteScimGroup, getScimGroup, listScimGroups, patchScimGroup, replaceScimGroup } from './groups.ts';
import { createScimUser, deleteScimUser, getScimUser, listScimUsers, patchScimUser, replaceScimUser } from './users.ts';

const scim = { permission: 'scim' } as const;
const user = (action: 'create' | 'write') => ({ ...scim, audit: { resource: 'user', action } }) as const;
const group = (action: 'create' | 'write' | 'delete') => ({ ...scim, audit: { resource: 'group', action } }) as const;

/** A plain patch answers the account as the rest of the interface shows it, with the SCIM attributes beside. */
const PatchedUser = z.union([z.object({ ...ScimUser.shape, ...User.shape }), ScimUser]);

/** SCIM 2.0 for one identity provider. `packages/rest/src/raw/scim.ts` gives it its addresses and its media type. */
export const scimRouter = t.router({
  serviceProviderConfig: publicProcedure
    .meta({ permission: 'public' })
    .input(z.object({}))
    .output(ScimDocument)
    .query(({ ctx }) => serviceProviderConfig(ctx.services.settings)),

  schemas: scimProcedure
    .meta(scim)
    .input(z.object({}))
    .output(ScimDocument)
    .query(({ ctx }) => documentList(schemaDocuments(ctx.services.settings))),

  schema: scimProcedure
    .meta(scim)
    .input(z.object({ id: z.string().max(256) }))
    .output(ScimDocument)
    .query(({ ctx, input }) => documentWith(schemaDocuments(ctx.services.settings), input.id)),

  resourceTypes: scimProcedure
    .meta(scim)
    .input(z.object({}))
    .output(ScimDocument)
    .query(({ ctx }) => documentList(resourceTypeDocuments(ctx.services.settings))),

  resourceType: scimProcedure
    .meta(scim)
    .input(z.object({ id: z.string().max(256) }))
    .output(ScimDocument)
    .query(({ ctx, input }) => documentWith(resourceTypeDocuments(ctx.services.settings), input.id)),

  listUsers: scimProcedure
    .meta(scim)
    .input(ListScim)
    .output(ScimUserPage)
    .query(({ ctx, input }) => listScimUsers(ctx, input)),

  getUser: scimProcedure
    .meta(scim)
    .input(ScimPath)
    .output(ScimUser)
    .query(({ ctx, input }) => getScimUser(ctx, input)),

  createUser: scimProcedure
    .meta(user('create'))
    .input(CreateScim)
    .output(ScimUser)
    .mutation(({ ctx, input }) => createScimUser(ctx, input)),

  replaceUser: scimProcedure
    .meta(user('write'))
    .input(ChangeScim)
    .output(ScimUser)
    .mutation(({ ctx, input }) => replaceScimUser(ctx, input)),

  patchUser: scimProcedure
    .meta(user('write'))
    .input(ChangeScim)
    .output(PatchedUser)
    .mutation(({ ctx, input }) => patchScimUser(ctx, input)),

  deleteUser: scimProcedure
    .meta(user('write'))
    .input(ScimPath)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteScimUser(ctx, input)),

  listGroups: scimProcedure
    .meta(scim)
    .input(ListScim)
    .output(ScimGroupPage)
    .query(({ ctx, input }) => listScimGroups(ctx, input)),

  getGroup: scimProcedure
    .meta(scim)
    .input(ScimGroupPath)
    .output(ScimGroup)
    .query(({ ctx, input }) => getScimGroup(ctx, input)),

  createGroup: scimProcedure
    .meta(group('create'))
    .input(CreateScim)
    .output(ScimGroup)
    .mutation(({ ctx, input }) => createScimGroup(ctx, input)),

  replaceGroup: scimProcedure
    .meta(group('write'))
    .input(ChangeScim)
    .output(ScimGroup)
    .mutation(({ ctx, input }) => replaceScimGroup(ctx, input)),

  patchGroup: scimProcedure
    .meta(group('write'))
    .input(ChangeScim)
    .output(ScimGroup)
    .mutation(({ ctx, input }) => patchScimGroup(ctx, input)),

  deleteGroup: scimProcedure
    .meta(group('delete'))
    .input(ScimPath)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteScimGroup(ctx, input)),
});
