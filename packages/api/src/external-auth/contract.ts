import { queryBool, timestamp } from '@berth/core';
import { z } from 'zod';
import { route } from '../kernel/route.ts';

const link = {
  provider_id: z.string(),
  created_at: timestamp(),
  updated_at: timestamp(),
  expires: timestamp().nullable().meta({ description: 'When the token ends; null when its provider did not say.' }),
  has_refresh_token: z.boolean(),
  authenticated: z.boolean().meta({ description: 'Whether the token works now.' }),
  validate_error: z.string().meta({ description: 'Why it is not known whether the token works, or why it does not; empty when it does.' }),
};

export const ExternalAuthLink = z
  .object(link)
  .meta({ id: 'ExternalAuthLink', description: 'The caller’s account at an external service.' });
export type ExternalAuthLink = z.output<typeof ExternalAuthLink>;

export const ExternalAuthLinkProvider = z
  .object({
    id: z.string(),
    type: z.string(),
    device: z.boolean().meta({ description: 'Whether accounts are linked by a code that is entered on any device.' }),
    display_name: z.string(),
    display_icon: z.string(),
    allow_refresh: z.boolean(),
    allow_validate: z.boolean(),
  })
  .meta({ id: 'ExternalAuthLinkProvider', description: 'A configured external service.' });
export type ExternalAuthLinkProvider = z.output<typeof ExternalAuthLinkProvider>;

export const ExternalAuthLinks = z
  .object({
    ...link,
    created_at: timestamp().nullable(),
    updated_at: timestamp().nullable(),
    providers: z.array(ExternalAuthLinkProvider),
    links: z.array(ExternalAuthLink),
  })
  .meta({
    id: 'UserExternalAuths',
    description:
      'The configured services and the caller’s links to them. The fields beside the two lists repeat the link that was changed last; without one they are empty.',
  });
export type ExternalAuthLinks = z.output<typeof ExternalAuthLinks>;

export const ExternalAuthUser = z
  .object({ id: z.int(), login: z.string(), avatar_url: z.string(), profile_url: z.string(), name: z.string() })
  .meta({ id: 'ExternalAuthUser', description: 'An account at an external service.' });
export type ExternalAuthUser = z.output<typeof ExternalAuthUser>;

export const ExternalAuthAppInstallation = z
  .object({ id: z.int(), account: ExternalAuthUser, configure_url: z.string() })
  .meta({ id: 'ExternalAuthAppInstallation', description: 'Where the service’s app is installed.' });
export type ExternalAuthAppInstallation = z.output<typeof ExternalAuthAppInstallation>;

export const ExternalAuth = z
  .object({
    authenticated: z.boolean(),
    device: z.boolean(),
    display_name: z.string(),
    user: ExternalAuthUser.nullable().meta({ description: 'Null without a working link, or when the service does not tell.' }),
    app_installable: z.boolean(),
    installations: z.array(ExternalAuthAppInstallation),
    app_install_url: z.string(),
  })
  .meta({ id: 'ExternalAuth', description: 'An external service, and how the caller is linked to it.' });
export type ExternalAuth = z.output<typeof ExternalAuth>;

export const ExternalAuthDevice = z
  .object({
    device_code: z.string(),
    user_code: z.string(),
    verification_uri: z.string(),
    expires_in: z.int().meta({ description: 'Seconds.' }),
    interval: z.int().meta({ description: 'Seconds between two attempts to complete.' }),
  })
  .meta({ id: 'ExternalAuthDevice', description: 'A code to enter at the external service.' });
export type ExternalAuthDevice = z.output<typeof ExternalAuthDevice>;

export const AgentExternalAuth = z
  .object({
    access_token: z.string(),
    token_extra: z.record(z.string(), z.unknown()),
    url: z.string().meta({ description: 'Where the owner links an account; empty once there is a token.' }),
    type: z.string(),
    username: z.string().meta({ description: 'What git is told as the user.' }),
    password: z.string(),
  })
  .meta({ id: 'ExternalAuthResponse', description: 'A token of the workspace’s owner, or where to get one.' });
export type AgentExternalAuth = z.output<typeof AgentExternalAuth>;

export const ExternalAuthPath = z.object({
  externalauth: z.string().min(1).max(64).meta({ description: 'The id of a configured service.' }),
});

export const ExternalAuthSetup = z
  .object({
    id: z.string(),
    redirect_url: z.string().meta({ description: 'What the service has to know as the address that people come back to.' }),
    links: z.int().meta({ description: 'How many people have linked an account.' }),
    broken_links: z.int().meta({ description: 'Of them: whose token could not be refreshed for good.' }),
  })
  .meta({ id: 'ExternalAuthSetup', description: 'A configured service, as administrators look at it.' });
export type ExternalAuthSetup = z.output<typeof ExternalAuthSetup>;

/** What a provider answers for a code: opaque, bounded. */
const Opaque = z.string().max(4096);

export const BeginExternalAuth = ExternalAuthPath.extend({ redirect: z.string().max(2000).optional() });
export const ExternalAuthAddress = z.object({ url: z.string() });

export const CompleteExternalAuth = ExternalAuthPath.extend({
  code: Opaque.default(''),
  state: Opaque.default(''),
  error: Opaque.default(''),
  /** The sealed cookie of the attempt, which the door reads. */
  attempt: z.string().max(16_384).default(''),
});
export const ExternalAuthCompleted = z.object({ redirect: z.string() });

export const CompleteExternalAuthDevice = ExternalAuthPath.extend({
  device_code: z.string().min(1, 'must not be empty').max(4096),
}).meta({ id: 'ExternalAuthDeviceExchange' });

export const AgentExternalAuthQuery = z.object({
  match: z.string().max(2048).optional().meta({ description: 'An address that git wants; give it or `id`.' }),
  id: z.string().max(64).optional().meta({ description: 'The id of a configured service.' }),
  listen: queryBool().optional().meta({ description: 'Wait up to 50 seconds for the owner to link an account.' }),
});

const path = '/external-auth/{externalauth}';

export const routes = {
  list: route({
    method: 'GET',
    path: '/external-auth',
    tag: 'Git',
    id: 'get-user-external-auths',
    summary: 'List your links to external services',
    description: 'Each token is refreshed where needed and shown to its service, so this takes as long as the slowest of them.',
  }),
  get: route({
    method: 'GET',
    path,
    tag: 'Git',
    id: 'get-external-auth-by-id',
    summary: 'Get your link to an external service',
    errors: ['not_found', 'unavailable'],
  }),
  unlink: route({
    method: 'DELETE',
    path,
    tag: 'Git',
    id: 'delete-external-auth-user-link-by-id',
    summary: 'Unlink your account at an external service',
    description: 'The token is revoked at the service, where it has an address for that and answers.',
    errors: ['not_found'],
  }),
  beginDevice: route({
    method: 'GET',
    path: `${path}/device`,
    tag: 'Git',
    id: 'get-external-auth-device-by-id',
    summary: 'Get a code to link an account by any device',
    errors: ['not_found', 'unavailable'],
  }),
  completeDevice: route({
    method: 'POST',
    path: `${path}/device`,
    tag: 'Git',
    id: 'post-external-auth-device-by-id',
    summary: 'Link an account once its code was entered',
    description: 'Until then refused, with the service’s own code in `detail`: `authorization_pending`, `slow_down`, `expired_token`, …',
    status: 204,
    errors: ['not_found', 'unavailable'],
  }),
  forAgent: route({
    method: 'GET',
    path: '/workspaceagents/me/external-auth',
    tag: 'Agents',
    id: 'get-workspace-agent-external-auth',
    summary: 'Get a token of the workspace’s owner for an external service',
    errors: ['not_found', 'unavailable'],
  }),
};
