import { createHash } from 'node:crypto';
import { given, uniqueName } from '@berth/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import type { TestServer } from './index.ts';

export const VERIFIER = 'a-verifier-of-forty-three-characters-or-more-0123';
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
export const CALLBACK = 'https://app.example.com/callback';

export const Tokens = z.object({ access_token: z.string(), refresh_token: z.string(), scope: z.string() });
export type Tokens = z.output<typeof Tokens>;

/** What a refused request is answered with. */
export const refusal = (error: string, status = 400) => ({ status, body: { error, error_description: expect.any(String) } });

export const statuses = (answers: readonly { status: number }[]): number[] => answers.map(({ status }) => status).toSorted((a, b) => a - b);

export interface Client {
  readonly id: string;
  readonly secret: string;
}

/** Plain requests of an OAuth2 client, right or wrong, as nobody's library would send them. */
export function oauth2Client(server: TestServer) {
  const rows = given(server.prisma);
  const admin = rows.user({ siteRoles: ['owner'] });

  async function register(clientType: 'confidential' | 'public' = 'confidential', callbackUrl = CALLBACK): Promise<Client> {
    const { oauth2Apps } = server.callAsUser((await admin).id);
    const { id } = await oauth2Apps.create({ name: uniqueName('app'), callback_url: callbackUrl, client_type: clientType });
    const made = clientType === 'public' ? [] : await oauth2Apps.createSecret({ app: id });
    return { id, secret: made[0]?.client_secret_full ?? '' };
  }

  /** A form to `/oauth2/<endpoint>`. */
  async function post(endpoint: string, form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) {
    const response = await server.app.inject({
      method: 'POST',
      url: `/oauth2/${endpoint}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(form).toString(),
    });
    return { status: response.statusCode, headers: response.headers, body: response.json<Record<string, unknown>>() };
  }

  const ofClient = (client: Client): Record<string, string> => ({
    client_id: client.id,
    ...(client.secret === '' ? {} : { client_secret: client.secret }),
  });

  /** A code that `userId` approved. */
  async function codeFor(client: Client, userId: string, request: { scope?: string; redirect_uri?: string; code_challenge?: string } = {}) {
    const { redirect_url: url } = await server.callAsUser(userId).oauth2.approve({
      client_id: client.id,
      response_type: 'code',
      state: 'a-state',
      scope: 'all',
      ...(client.secret === '' ? { code_challenge: CHALLENGE } : {}),
      ...(client.secret === '' || request.code_challenge !== undefined ? { code_challenge_method: 'S256' } : {}),
      ...request,
      approve: true,
    });
    const code = new URL(url).searchParams.get('code');
    if (code === null) throw new Error(`no code in ${url}`);
    return code;
  }

  const exchange = (client: Client, code: string, more: Readonly<Record<string, string>> = {}) =>
    post('tokens', {
      ...ofClient(client),
      grant_type: 'authorization_code',
      code,
      ...(client.secret === '' ? { code_verifier: VERIFIER } : {}),
      ...more,
    });

  /** A client that a new user approved, with the tokens that it got. */
  async function granted(clientType: 'confidential' | 'public' = 'confidential', scope = 'all') {
    const client = await register(clientType);
    const user = await rows.user();
    const answer = await exchange(client, await codeFor(client, user.id, { scope }));
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return { client, user, tokens: Tokens.parse(answer.body) };
  }

  return {
    register,
    post,
    ofClient,
    codeFor,
    exchange,
    granted,
    refresh: (client: Client, refreshToken: string, more: Readonly<Record<string, string>> = {}) =>
      post('tokens', { ...ofClient(client), grant_type: 'refresh_token', refresh_token: refreshToken, ...more }),
    /** The status that an access token gets for its own user, on REST and on tRPC. */
    async reach(accessToken: string): Promise<number[]> {
      const headers = { authorization: `Bearer ${accessToken}` };
      const rpc = await server.app.inject({ url: `/api/rpc/users.get?input=${encodeURIComponent('{"user":"me"}')}`, headers });
      return [(await server.rest({ method: 'GET', path: '/users/me', headers })).status, rpc.statusCode];
    },
  };
}
