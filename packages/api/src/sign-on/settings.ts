import { secretText } from '@berth/core';
import { z } from 'zod';

const providerId = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single hyphens')
  .max(64);
const httpUrl = () => z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** How people of one OpenID Connect provider sign in. */
export const OidcProvider = z
  .strictObject({
    type: z.literal('oidc'),
    /** Names the provider in addresses and in the audit log; links hold on to the issuer instead. */
    id: providerId.default('oidc'),
    /** The words on the sign-in button. */
    display_name: z.string().max(64).default('OpenID Connect'),
    icon_url: z.string().max(2048).default(''),
    issuer_url: httpUrl(),
    client_id: z.string().min(1),
    /** Absent for a public client, which relies on PKCE alone. */
    client_secret: secretText(z.string().min(1)).optional(),
    scopes: z.array(z.string().min(1)).default(['openid', 'profile', 'email']),
    auth_url_params: z.record(z.string(), z.string()).default({}),
    username_claim: z.string().default('preferred_username'),
    email_claim: z.string().default('email'),
    name_claim: z.string().default('name'),
    /** Takes claims from the ID token alone. */
    ignore_user_info: z.boolean().default(false),
    /** For providers that verify every address and do not say so. */
    ignore_email_verified: z.boolean().default(false),
    /** Exact domains; none means every domain. */
    allowed_email_domains: z.array(z.string()).default([]),
    groups_claim: z.string().default(''),
    /** Who has none of these groups is refused, also when the claim is missing; none means everybody. */
    allowed_groups: z.array(z.string()).default([]),
    allow_sign_ups: z.boolean().default(true),
    /** Site roles from a claim: set exactly at each sign-in when `site_roles_claim` is given. */
    site_roles_claim: z.string().default(''),
    site_roles_mapping: z.record(z.string(), z.array(z.string())).default({}),
    site_roles_default: z.array(z.string()).default([]),
  })
  .refine(({ allowed_groups, groups_claim }) => allowed_groups.length === 0 || groups_claim !== '', {
    path: ['groups_claim'],
    error: 'must name the claim that allowed_groups are looked for in',
  });
export type OidcProvider = z.output<typeof OidcProvider>;

/** How people of one code host sign in, by OAuth2 and its API. */
export const CodehostProvider = z
  .strictObject({
    type: z.literal('codehost'),
    id: providerId.default('codehost'),
    display_name: z.string().max(64).default('Code host'),
    icon_url: z.string().max(2048).default(''),
    authorize_url: httpUrl(),
    token_url: httpUrl(),
    /** Base of the API that answers `/user`, `/user/emails`, `/user/memberships/orgs` and `/user/teams`. */
    api_url: httpUrl(),
    client_id: z.string().min(1),
    client_secret: secretText(z.string().min(1)),
    scopes: z.array(z.string().min(1)).default(['read:user', 'user:email', 'read:org']),
    /** Everybody with an account there may sign in; else `allowed_organizations` decides, and an empty list lets nobody in. */
    allow_everyone: z.boolean().default(false),
    allowed_organizations: z.array(z.string()).default([]),
    /** `organization/team`; none means every member of an allowed organization. */
    allowed_teams: z.array(z.string()).default([]),
    allow_sign_ups: z.boolean().default(true),
  })
  .refine(
    ({ allowed_organizations: organizations, allowed_teams: teams }) =>
      teams.every((team) => organizations.some((name) => team.toLowerCase().startsWith(`${name.toLowerCase()}/`))),
    { path: ['allowed_teams'], error: 'must be organization/team, of an organization in allowed_organizations' },
  );
export type CodehostProvider = z.output<typeof CodehostProvider>;

export const SignOnProvider = z.discriminatedUnion('type', [OidcProvider, CodehostProvider]);
export type SignOnProvider = z.output<typeof SignOnProvider>;

/** How people may sign in. */
export const SignOnSettings = z.strictObject({
  /** Owners may always sign in with their password, so that a broken provider locks nobody out for good. */
  password_enabled: z.boolean().default(true),
  terms_of_service_url: z.string().max(2048).default(''),
  providers: z
    .array(SignOnProvider)
    .max(20)
    .default([])
    .refine((providers) => new Set(providers.map(({ id }) => id)).size === providers.length, 'must have a different id for each provider'),
});
export type SignOnSettings = z.output<typeof SignOnSettings>;
