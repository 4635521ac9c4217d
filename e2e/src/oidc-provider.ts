import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface RunningProvider {
  readonly issuer: string;
  stop(): Promise<void>;
}

export interface ProviderOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where it may send the browser back to. */
  readonly callback: string;
}

/**
 * A certified OpenID Connect provider with pages of its own: whoever types a name there is that person, with a verified address at
 * example.com.
 */
export async function startOidcProvider({ clientId, clientSecret, callback }: ProviderOptions): Promise<RunningProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [callback],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        email: `${accountId}@example.com`,
        email_verified: true,
        name: 'Grace Hopper',
        preferred_username: accountId,
      }),
    }),
    cookies: { keys: ['a key for the tests'] },
  });
  server.on('request', provider.callback());
  return {
    issuer,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
