import { queryBool, queryInt, timestamp, uuid } from '@berth/core';
import { API_KEY_SCOPES, LOGIN_TYPES } from '@berth/domain';
import { z } from 'zod';
import { route } from '../kernel/route.ts';
import { UserPath } from '../users/contract.ts';

export const ApiKey = z
  .object({
    id: z.string(),
    user_id: uuid(),
    username: z.string(),
    login_type: z.enum([...LOGIN_TYPES, 'oauth2_provider_app']),
    scope: z.enum(API_KEY_SCOPES),
    permissions: z.array(z.string()).meta({ description: 'What a `limited` key may do, each `resource:action`.' }),
    token_name: z.string(),
    lifetime_seconds: z.int(),
    last_used: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
    expires_at: timestamp(),
  })
  .meta({ id: 'APIKey', description: 'A session or token; its secret is shown only when it is made.' });

export const Session = ApiKey.extend({
  last_used_ip: z.string().meta({ description: 'Where the last use came from, or where the key was made.' }),
  app_name: z.string().meta({ description: 'The OAuth2 application that uses the key; empty for all others.' }),
  is_current: z.boolean().meta({ description: 'Whether this request carries it.' }),
}).meta({ id: 'Session', description: 'A session, token or access of an application, as its user sees it.' });

export const NewKey = z
  .object({ key: z.string().meta({ description: 'The whole key, shown this once.' }) })
  .meta({ id: 'GenerateAPIKeyResponse' });

/** 100 years in nanoseconds is beyond what JSON numbers hold exactly, so the bound is checked in the service, in seconds. */
export const CreateToken = UserPath.extend({
  lifetime: z.number().min(0, 'must not be negative').optional().meta({ description: 'Nanoseconds; 0 or absent means 7 days.' }),
  scope: z.enum(API_KEY_SCOPES).default('all'),
  permissions: z
    .array(z.string().max(64))
    .max(200)
    .default([])
    .meta({ description: 'Of a `limited` token: what it may do, each `resource:action`.' }),
  token_name: z.string().max(128).optional(),
}).meta({ id: 'CreateTokenRequest' });

export const ListTokens = UserPath.extend({
  include_all: queryBool().optional().default(false).meta({ description: 'Also tokens of others that the caller may read.' }),
  q: z.string().max(200).optional().meta({ description: 'Only tokens with this in their name, or in the name of their user.' }),
  unused_days: queryInt(1, 36_500)
    .optional()
    .meta({ description: 'Only tokens that were not used in so many days, and were made before.' }),
});

export const KeyPath = UserPath.extend({ keyid: z.string().min(1).max(64) });

export const TokenNamePath = UserPath.extend({ keyname: z.string().min(1).max(128) });

export const DeleteAllKeys = UserPath.extend({
  except_current: queryBool().optional().default(false).meta({ description: 'Keep the key that this request carries.' }),
});

export const TokenConfig = z
  .object({ max_token_lifetime: z.number().meta({ type: 'integer', description: 'Nanoseconds.' }) })
  .meta({ id: 'TokenConfig' });

export const routes = {
  createSession: route({
    method: 'POST',
    path: '/users/{user}/keys',
    tag: 'Users',
    id: 'create-new-session-key',
    summary: 'Create a session key',
    status: 201,
    errors: ['forbidden', 'not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/users/{user}/keys/tokens',
    tag: 'Users',
    id: 'create-token-api-key',
    summary: 'Create a named token',
    status: 201,
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  list: route({
    method: 'GET',
    path: '/users/{user}/keys/tokens',
    tag: 'Users',
    id: 'get-user-tokens',
    summary: 'List tokens',
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/users/{user}/keys/{keyid}',
    tag: 'Users',
    id: 'delete-api-key',
    summary: 'Revoke a session or token',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
  listSessions: route({
    method: 'GET',
    path: '/users/{user}/keys',
    tag: 'Users',
    id: 'list-user-keys',
    summary: 'List every session and token of a user',
    errors: ['not_found'],
  }),
  get: route({
    method: 'GET',
    path: '/users/{user}/keys/{keyid}',
    tag: 'Users',
    id: 'get-api-key-by-id',
    summary: 'Get a session or token by its id',
    errors: ['not_found'],
  }),
  getByName: route({
    method: 'GET',
    path: '/users/{user}/keys/tokens/{keyname}',
    tag: 'Users',
    id: 'get-api-key-by-token-name',
    summary: 'Get a token by its name',
    errors: ['not_found'],
  }),
  config: route({
    method: 'GET',
    path: '/users/{user}/keys/tokens/tokenconfig',
    tag: 'General',
    id: 'get-token-config',
    summary: 'Get the longest lifetime of a token',
    errors: ['not_found'],
  }),
  deleteAll: route({
    method: 'DELETE',
    path: '/users/{user}/keys',
    tag: 'Users',
    id: 'delete-user-keys',
    summary: 'Revoke every session and token of a user',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
};
