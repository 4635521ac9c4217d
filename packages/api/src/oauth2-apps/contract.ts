import { timestamp, uuid } from '@berth/core';
import { z } from 'zod';
import { nameField } from '../kernel/name-field.ts';
import { route } from '../kernel/route.ts';

const ClientType = z.enum(['confidential', 'public']);

export const OAuth2ProviderApp = z
  .object({
    id: uuid(),
    name: z.string(),
    callback_url: z.string(),
    icon: z.string(),
    client_type: ClientType.meta({
      description: 'Public clients (native and browser apps, devices) keep no secret and must prove each code with PKCE.',
    }),
    endpoints: z
      .object({
        authorization: z.string(),
        token: z.string(),
        device_authorization: z.string(),
      })
      .meta({
        id: 'OAuth2AppEndpoints',
        description: 'Where the application finds the OAuth2 endpoints of this server.',
      }),
  })
  .meta({
    id: 'OAuth2ProviderApp',
    description: 'An application that may ask users of this server for access.',
  });
export type OAuth2ProviderApp = z.output<typeof OAuth2ProviderApp>;

export const OAuth2ProviderAppSecret = z
  .object({
    id: uuid(),
    last_used_at: timestamp().nullable(),
    client_secret_truncated: z.string().meta({ description: 'The last six characters of the secret.' }),
  })
  .meta({ id: 'OAuth2ProviderAppSecret' });
export type OAuth2ProviderAppSecret = z.output<typeof OAuth2ProviderAppSecret>;

export const OAuth2ProviderAppSecretFull = z
  .object({
    id: uuid(),
    client_secret_full: z.string().meta({ description: 'The whole secret, shown this once.' }),
  })
  .meta({ id: 'OAuth2ProviderAppSecretFull' });

/** URL parsers drop these silently, and a redirect could not carry them. */
const UNPRINTABLE = /[^\x21-\x7e]/;

/** Exact: the redirect of an authorization compares with this text. */
const CallbackUrl = z
  .string()
  .max(2048)
  .refine((text) => {
    if (!/^https?:\/\//i.test(text) || UNPRINTABLE.test(text)) return false;
    const url = URL.parse(text);
    return url !== null && url.hostname !== '' && url.hash === '' && url.username === '' && url.password === '';
  }, 'Must be an absolute http or https URL without a fragment or credentials.');
const Icon = z.string().max(2048);

export const CreateOAuth2App = z
  .object({ name: nameField('name'), callback_url: CallbackUrl, icon: Icon.default(''), client_type: ClientType.default('confidential') })
  .meta({ id: 'PostOAuth2ProviderAppRequest' });

export const OAuth2AppPath = z.object({ app: uuid() });

/** Absent fields stay as they are. */
export const UpdateOAuth2App = OAuth2AppPath.extend({
  name: nameField('name').optional(),
  callback_url: CallbackUrl.optional(),
  icon: Icon.optional(),
  client_type: ClientType.optional(),
}).meta({ id: 'PutOAuth2ProviderAppRequest' });

export const ListOAuth2Apps = z.object({
  user_id: uuid().optional().meta({ description: 'Only applications to which this user has given access.' }),
});

export const OAuth2AppSecretPath = OAuth2AppPath.extend({ secretID: uuid() });

export const routes = {
  list: route({
    method: 'GET',
    path: '/oauth2-provider/apps',
    tag: 'Enterprise',
    id: 'get-oauth2-applications',
    summary: 'List OAuth2 applications',
  }),
  create: route({
    method: 'POST',
    path: '/oauth2-provider/apps',
    tag: 'Enterprise',
    id: 'create-oauth2-application',
    summary: 'Create an OAuth2 application',
    errors: ['forbidden', 'conflict'],
  }),
  get: route({
    method: 'GET',
    path: '/oauth2-provider/apps/{app}',
    tag: 'Enterprise',
    id: 'get-oauth2-application',
    summary: 'Get an OAuth2 application',
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: '/oauth2-provider/apps/{app}',
    tag: 'Enterprise',
    id: 'update-oauth2-application',
    summary: 'Update an OAuth2 application',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/oauth2-provider/apps/{app}',
    tag: 'Enterprise',
    id: 'delete-oauth2-application',
    summary: 'Delete an OAuth2 application with its secrets and all access that it was given',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
  listSecrets: route({
    method: 'GET',
    path: '/oauth2-provider/apps/{app}/secrets',
    tag: 'Enterprise',
    id: 'get-oauth2-application-secrets',
    summary: 'List the secrets of an OAuth2 application',
    errors: ['forbidden', 'not_found'],
  }),
  createSecret: route({
    method: 'POST',
    path: '/oauth2-provider/apps/{app}/secrets',
    tag: 'Enterprise',
    id: 'create-oauth2-application-secret',
    summary: 'Create a secret of an OAuth2 application',
    description: 'An array of one object. The secret is shown this once. Public clients have none.',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  deleteSecret: route({
    method: 'DELETE',
    path: '/oauth2-provider/apps/{app}/secrets/{secretID}',
    tag: 'Enterprise',
    id: 'delete-oauth2-application-secret',
    summary: 'Delete a secret of an OAuth2 application',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
};
