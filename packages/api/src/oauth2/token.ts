import type { z } from 'zod';
import type { Call } from '../kernel/procedures.ts';
import { authenticateClient } from './client.ts';
import type { OAuth2Token, TokenAnswer, TokenRequest } from './contract.ts';
import { exchangeCode } from './exchange-code.ts';
import { exchangeDeviceCode } from './exchange-device-code.ts';
import { exchangeRefreshToken } from './exchange-refresh-token.ts';
import { OAuth2Refusal, answered } from './refusal.ts';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
export const GRANT_TYPES = ['authorization_code', 'refresh_token', DEVICE_GRANT] as const;

/** The token endpoint: a code, a refresh token or an approved device code becomes an access token. */
export async function exchangeToken(call: Call, input: TokenRequest): Promise<z.output<typeof TokenAnswer>> {
  return await answered(() => exchange(call, input));
}

async function exchange(call: Call, input: TokenRequest): Promise<OAuth2Token> {
  if (input.grant_type === undefined) throw new OAuth2Refusal('invalid_request', '`grant_type` is missing.');
  const grantType = GRANT_TYPES.find((known) => known === input.grant_type);
  const client = await authenticateClient(call, input);
  switch (grantType) {
    case 'authorization_code':
      return await exchangeCode(call, client, input);
    case 'refresh_token':
      return await exchangeRefreshToken(call, client, input);
    case DEVICE_GRANT:
      return await exchangeDeviceCode(call, client, input);
    case undefined:
      throw new OAuth2Refusal('unsupported_grant_type', `\`grant_type\` must be one of: ${GRANT_TYPES.join(', ')}.`);
  }
}
