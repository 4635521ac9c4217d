import { z } from 'zod';
import { route } from '../kernel/route.ts';

const claims = () => z.record(z.string(), z.unknown());

export const OidcContextOf = z.object({
  user: z.string().min(1).max(64).meta({ description: 'A user id, a user name, or `me`.' }),
});

export const OidcContext = z
  .object({ id_token_claims: claims(), user_info_claims: claims(), merged_claims: claims() })
  .meta({ id: 'OIDCContext', description: 'What the provider said of a person at their last sign-in.' });

export const routes = {
  oidcContext: route({
    method: 'GET',
    path: '/debug/{user}/debug-link',
    tag: 'Agents',
    id: 'debug-oidc-context-for-a-user',
    summary: 'Debug the OpenID Connect claims of a user',
    errors: ['forbidden', 'not_found'],
  }),
};
