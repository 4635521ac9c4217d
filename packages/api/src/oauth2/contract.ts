import { timestamp, uuid } from '@berth/core';
import { z } from 'zod';
import { route } from '../kernel/route.ts';

/** What a form of the protocol may hold; anything longer is nobody's mistake. */
const text = () => z.string().max(4096);

export const OAuth2Scope = z
  .object({ name: z.string(), description: z.string().meta({ description: 'What it allows, as a sentence.' }) })
  .meta({ id: 'OAuth2Scope' });

/** An application as people see it who are asked for access. */
export const OAuth2AppSummary = z.object({ id: uuid(), name: z.string(), icon: z.string() }).meta({ id: 'OAuth2AppSummary' });

/** An authorization request as it stands in the query of `/oauth2/authorize`. */
export const AuthorizationRequest = z.object({
  client_id: text(),
  redirect_uri: text().optional(),
  response_type: text().optional(),
  scope: text().optional(),
  state: text().optional(),
  code_challenge: text().optional(),
  code_challenge_method: text().optional(),
});

export const Authorization = z
  .object({
    app: OAuth2AppSummary,
    redirect_uri: z.string().meta({ description: 'Where the browser goes afterwards.' }),
    scope: z.string(),
    scopes: z.array(OAuth2Scope),
    has_consent: z.boolean().meta({ description: 'Whether the caller gave the application this much access before, and it still lasts.' }),
    refusal: z
      .object({ error: z.string(), error_description: z.string(), redirect_url: z.string() })
      .nullable()
      .meta({ description: 'Why the request cannot be approved; the application learns it at `redirect_url`.' }),
  })
  .meta({ id: 'OAuth2Authorization', description: 'What an application asks for.' });
export type Authorization = z.output<typeof Authorization>;

export const ApproveAuthorization = AuthorizationRequest.extend({ approve: z.boolean() });

export const AuthorizationAnswer = z.object({ redirect_url: z.string() }).meta({ id: 'OAuth2AuthorizationAnswer' });

const clientFields = { client_id: text().optional(), client_secret: text().optional() };

export const TokenRequest = z.object({
  ...clientFields,
  grant_type: text().optional(),
  code: text().optional(),
  redirect_uri: text().optional(),
  code_verifier: text().optional(),
  refresh_token: text().optional(),
  device_code: text().optional(),
  scope: text().optional(),
});
export type TokenRequest = z.output<typeof TokenRequest>;

export const OAuth2Token = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds.' }),
    expiry: timestamp(),
    refresh_token: z.string(),
    scope: z.string(),
  })
  .meta({ id: 'OAuth2Token', description: 'RFC 6749, section 5.1.' });
export type OAuth2Token = z.output<typeof OAuth2Token>;

export const OAuth2Error = z
  .object({ error: z.string(), error_description: z.string() })
  .meta({ id: 'OAuth2Error', description: 'RFC 6749, section 5.2.' });

/** The status and body that the protocol prescribes: refusals too, since some of them revoke, and must not be rolled back. */
function protocolAnswer<T extends z.ZodType>(body: T) {
  return z.discriminatedUnion('status', [
    z.object({ status: z.literal(200), body }),
    z.object({ status: z.literal(400), body: OAuth2Error }),
    z.object({ status: z.literal(401), body: OAuth2Error }),
  ]);
}

export const TokenAnswer = protocolAnswer(OAuth2Token);

export const TokenOfClient = z.object({ ...clientFields, token: text().optional(), token_type_hint: text().optional() });
export type TokenOfClient = z.output<typeof TokenOfClient>;

export const RevokeAnswer = protocolAnswer(z.object({}));

export const Introspection = z
  .object({
    active: z.boolean(),
    scope: z.string().optional(),
    client_id: uuid().optional(),
    username: z.string().optional(),
    sub: uuid().optional(),
    token_type: z.literal('Bearer').optional(),
    iss: z.string().optional(),
    iat: z.int().optional(),
    exp: z.int().optional(),
  })
  .meta({ id: 'OAuth2Introspection', description: 'RFC 7662; nothing but `active: false` for what is not a live token of the client.' });
export type Introspection = z.output<typeof Introspection>;

export const IntrospectAnswer = protocolAnswer(Introspection);

export const BeginDevice = z.object({ ...clientFields, scope: text().optional() });

export const DeviceAuthorization = z
  .object({
    device_code: z.string(),
    user_code: z.string().meta({ description: 'Shown by the device, typed by the person: `XXXX-XXXX`.' }),
    verification_uri: z.string(),
    verification_uri_complete: z.string(),
    expires_in: z.int(),
    interval: z.int(),
  })
  .meta({ id: 'OAuth2DeviceAuthorization', description: 'RFC 8628, section 3.2.' });
export type DeviceAuthorization = z.output<typeof DeviceAuthorization>;

export const BeginDeviceAnswer = protocolAnswer(DeviceAuthorization);

export const UserCode = z.object({
  user_code: z.string().min(1).max(64).meta({ description: 'As the device shows it; case and dashes do not matter.' }),
});

export const Device = z
  .object({
    user_code: z.string(),
    app: OAuth2AppSummary,
    scope: z.string(),
    scopes: z.array(OAuth2Scope),
    expires_at: timestamp(),
  })
  .meta({ id: 'OAuth2Device', description: 'A device that waits for approval.' });
export type Device = z.output<typeof Device>;

export const ApproveDevice = UserCode.extend({ approve: z.boolean() });
export const DeviceDecision = z.object({ status: z.enum(['approved', 'denied']) }).meta({ id: 'OAuth2DeviceDecision' });

export const Grant = z
  .object({
    app: OAuth2AppSummary,
    scope: z.string().meta({ description: 'Everything that the application was given and still has.' }),
    scopes: z.array(OAuth2Scope),
    created_at: timestamp(),
    last_used_at: timestamp(),
    expires_at: timestamp(),
  })
  .meta({ id: 'OAuth2Grant', description: 'An application that has access to the caller’s account.' });
export type Grant = z.output<typeof Grant>;

export const RevokeApp = z.object({ client_id: uuid() });

export const routes = {
  revokeApp: route({
    method: 'DELETE',
    path: '/oauth2/tokens',
    tag: 'Enterprise',
    id: 'delete-oauth2-application-tokens',
    summary: 'Take an application’s access to your account away',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
  grants: route({
    method: 'GET',
    path: '/oauth2/grants',
    tag: 'Enterprise',
    id: 'list-oauth2-grants',
    summary: 'List the applications that have access to your account',
  }),
};
