import { PERMISSIONS } from '@berth/rbac';
import type { Settings } from '../kernel/context.ts';
import { GRANT_TYPES } from './token.ts';

/** What a client needs to know of this provider (RFC 8414), under `/.well-known/oauth-authorization-server`. */
export function providerMetadata({ accessUrl }: Pick<Settings, 'accessUrl'>): Readonly<Record<string, unknown>> {
  const withSecret = ['client_secret_basic', 'client_secret_post'];
  return {
    issuer: accessUrl,
    authorization_endpoint: `${accessUrl}/oauth2/authorize`,
    token_endpoint: `${accessUrl}/oauth2/tokens`,
    device_authorization_endpoint: `${accessUrl}/oauth2/device`,
    revocation_endpoint: `${accessUrl}/oauth2/revoke`,
    introspection_endpoint: `${accessUrl}/oauth2/introspect`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: GRANT_TYPES,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: [...withSecret, 'none'],
    revocation_endpoint_auth_methods_supported: [...withSecret, 'none'],
    introspection_endpoint_auth_methods_supported: withSecret,
    authorization_response_iss_parameter_supported: true,
    scopes_supported: ['all', 'read_only', 'application_connect', ...PERMISSIONS],
  };
}
