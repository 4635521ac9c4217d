import type { Secret } from '@berth/core';
import { secretText } from '@berth/core';
import { z } from 'zod';
import { defaultsOf } from './known-providers.ts';

const httpUrl = () => z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** An external service, such as a git host, whose accounts people link so that their workspaces can use them. As it is written down. */
const ProviderSettings = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/, 'must be letters, digits and single hyphens or underscores')
    .max(64),
  /** A known kind fills in what is absent: github, gitlab, gitea, bitbucket-cloud, bitbucket-server, azure-devops, azure-devops-entra, slack, jfrog. */
  type: z.string().min(1).max(64),
  display_name: z.string().max(64).default(''),
  display_icon: z.string().max(2048).default(''),
  client_id: z.string().min(1),
  /** Absent for a public client, which relies on PKCE or on device codes. */
  client_secret: secretText(z.string().min(1)).optional(),
  authorize_url: httpUrl().optional(),
  token_url: httpUrl().optional(),
  /** Answers 2xx to a valid token. */
  validate_url: httpUrl().optional(),
  revoke_url: httpUrl().optional(),
  device_code_url: httpUrl().optional(),
  /** Tells whose account it is; read for github, gitlab and gitea. */
  user_info_url: httpUrl().optional(),
  /** Link by a code that people enter at the service, instead of by a redirect. */
  device_flow: z.boolean().default(false),
  scopes: z.array(z.string().min(1)).optional(),
  extra_authorize_params: z.record(z.string(), z.string()).optional(),
  /** Whether the service takes part in PKCE; every kind but the few known not to is asked to. */
  pkce: z.boolean().optional(),
  no_refresh: z.boolean().default(false),
  /** Which git addresses this provider is for. */
  regex: z.string().max(1024).default(''),
  app_install_url: z.string().max(2048).default(''),
  app_installations_url: httpUrl().optional(),
});

/** A provider with what its kind fills in. */
export interface ExternalAuthProvider {
  readonly id: string;
  readonly type: string;
  readonly displayName: string;
  readonly displayIcon: string;
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly validateUrl: string | undefined;
  readonly revokeUrl: string | undefined;
  /** Given when people link by a device code. */
  readonly deviceCodeUrl: string | undefined;
  readonly userInfoUrl: string | undefined;
  readonly scopes: readonly string[];
  readonly extraAuthorizeParams: Readonly<Record<string, string>>;
  readonly usesPkce: boolean;
  readonly allowsRefresh: boolean;
  /** Null: for no git address. */
  readonly regex: RegExp | null;
  readonly appInstallUrl: string;
  readonly appInstallationsUrl: string | undefined;
}

/** Fills in what the kind of service knows. An address that is still missing, or a regex that is none, is an issue that names its field. */
const Provider = ProviderSettings.transform((given, context): ExternalAuthProvider => {
  const known = defaultsOf(given.type, given);
  const missing = (field: string): string => {
    context.addIssue({ code: 'custom', path: [field], message: `must be given for a provider of type "${given.type}"`, input: undefined });
    return '';
  };
  const displayName = given.display_name === '' ? (known.display_name ?? given.id) : given.display_name;
  return {
    id: given.id,
    type: given.type,
    displayName,
    displayIcon: given.display_icon,
    clientId: given.client_id,
    clientSecret: given.client_secret,
    // People who link by a device code are never sent there.
    authorizeUrl: given.authorize_url ?? known.authorize_url ?? (given.device_flow ? '' : missing('authorize_url')),
    tokenUrl: given.token_url ?? known.token_url ?? missing('token_url'),
    validateUrl: given.validate_url ?? known.validate_url,
    revokeUrl: given.revoke_url ?? known.revoke_url,
    deviceCodeUrl: given.device_flow ? (given.device_code_url ?? known.device_code_url ?? missing('device_code_url')) : undefined,
    userInfoUrl: given.user_info_url ?? known.user_info_url,
    scopes: given.scopes ?? known.scopes ?? [],
    extraAuthorizeParams: given.extra_authorize_params ?? known.extra_authorize_params ?? {},
    usesPkce: given.pkce ?? known.pkce ?? true,
    allowsRefresh: !given.no_refresh,
    regex: regexOf(given.regex === '' ? (known.regex ?? '') : given.regex, context),
    appInstallUrl: given.app_install_url,
    appInstallationsUrl: given.app_installations_url ?? (given.app_install_url === '' ? undefined : known.app_installations_url),
  };
});

function regexOf(text: string, context: z.RefinementCtx): RegExp | null {
  if (text === '') return null;
  try {
    return new RegExp(text);
  } catch {
    context.addIssue({ code: 'custom', path: ['regex'], message: 'must be a regular expression', input: undefined });
    return null;
  }
}

export const ExternalAuthSettings = z
  .array(Provider)
  .max(50)
  .default([])
  .refine((providers) => new Set(providers.map(({ id }) => id)).size === providers.length, 'must have a different id for each provider');
