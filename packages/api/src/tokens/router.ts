import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { UserPath } from '../users/index.ts';
import {
  ApiKey,
  CreateToken,
  DeleteAllKeys,
  KeyPath,
  ListTokens,
  NewKey,
  Session,
  TokenConfig,
  TokenNamePath,
  routes,
} from './contract.ts';
import { createSessionKey, createToken } from './create-key.ts';
import { getKey, getTokenByName, listSessions, listTokens, tokenConfig } from './read-keys.ts';
import { deleteAllKeys, deleteKey } from './revoke-keys.ts';

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

  listSessions: userProcedure
    .meta({ ...routes.listSessions, permission: 'api_key:read' })
    .input(UserPath)
    .output(z.array(Session))
    .query(({ ctx, input }) => listSessions(ctx, input)),

  get: userProcedure
    .meta({ ...routes.get, permission: 'api_key:read' })
    .input(KeyPath)
    .output(ApiKey)
    .query(({ ctx, input }) => getKey(ctx, input)),

  getByName: userProcedure
    .meta({ ...routes.getByName, permission: 'api_key:read' })
    .input(TokenNamePath)
    .output(ApiKey)
    .query(({ ctx, input }) => getTokenByName(ctx, input)),

  config: userProcedure
    .meta({ ...routes.config, permission: 'api_key:read' })
    .input(UserPath)
    .output(TokenConfig)
    .query(({ ctx, input }) => tokenConfig(ctx, input)),

  deleteAll: userProcedure
    .meta({ ...routes.deleteAll, permission: 'api_key:delete', audit: { resource: 'api_key', action: 'delete' } })
    .input(DeleteAllKeys)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteAllKeys(ctx, input)),
});
