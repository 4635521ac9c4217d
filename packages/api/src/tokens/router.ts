import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { UserPath } from '../users/index.ts';
import { ApiKey, CreateToken, KeyPath, ListTokens, NewKey, routes } from './contract.ts';
import { createSessionKey, createToken, deleteKey, listTokens } from './tokens.ts';

export const tokensRouter = t.router({
  createSession: userProcedure
    .meta({ ...routes.createSession, permission: 'api_key:create', audit: { resource: 'api_key', action: 'create' } })
    .input(UserPath)
    .output(NewKey)
    .mutation(({ ctx, input }) => createSessionKey(ctx, input)),

  create: userProcedure
    .meta({ ...routes.create, permission: 'api_key:create', audit: { resource: 'api_key', action: 'create' } })
    .input(CreateToken)
    .output(NewKey)
    .mutation(({ ctx, input }) => createToken(ctx, input)),

  list: userProcedure
    .meta({ ...routes.list, permission: 'api_key:read' })
    .input(ListTokens)
    .output(z.array(ApiKey))
    .query(({ ctx, input }) => listTokens(ctx, input)),

  delete: userProcedure
    .meta({ ...routes.delete, permission: 'api_key:delete', audit: { resource: 'api_key', action: 'delete' } })
    .input(KeyPath)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteKey(ctx, input)),
});
