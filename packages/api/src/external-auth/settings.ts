import { z } from 'zod';

const httpUrl = () => z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** An external service, such as a git host, whose accounts people link so that their workspaces can use them. */
export const ExternalAuthProvider = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/, 'must be letters, digits and single hyphens or underscores')
    .max(64),
  /** A known kind fills in the addresses that are absent. */
  type: z.string().min(1).max(64),
  display_name: z.string().max(64).default(''),
  display_icon: z.string().max(2048).default(''),
  client_id: z.string().min(1),
  client_secret: z.string().min(1).optional(),
  authorize_url: httpUrl().optional(),
  token_url: httpUrl().optional(),
  /** Answers 2xx to a valid token. */
  validate_url: httpUrl().optional(),
  revoke_url: httpUrl().optional(),
  device_code_url: httpUrl().optional(),
  device_flow: z.boolean().default(false),
  scopes: z.array(z.string().min(1)).default([]),
  extra_authorize_params: z.record(z.string(), z.string()).default({}),
  no_refresh: z.boolean().default(false),
  /** Which git addresses this provider is for. */
  regex: z.string().max(1024).default(''),
  app_install_url: z.string().max(2048).default(''),
  app_installations_url: httpUrl().optional(),
});
export type ExternalAuthProvider = z.output<typeof ExternalAuthProvider>;

export const ExternalAuthSettings = z
  .array(ExternalAuthProvider)
  .max(50)
  .default([])
  .refine((providers) => new Set(providers.map(({ id }) => id)).size === providers.length, 'the ids of providers must differ');
