import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { newId } from '@berth/core';
import { afterAll } from 'vitest';

/** An account of the host, as its API tells it to whoever holds its token. */
export interface FakeCodeHostAccount {
  readonly id: number;
  readonly login: string;
  readonly name?: string | null;
  readonly emails: readonly { readonly email: string; readonly primary: boolean; readonly verified: boolean }[];
  readonly organizations?: readonly { readonly login: string; readonly state: string }[];
  /** `organization/team`. */
  readonly teams?: readonly string[];
}

/** A code host with the API that GitHub has, for one account at a time. It signs everybody in at once. */
export async function startFakeCodeHost(): Promise<{ readonly url: string; account: FakeCodeHostAccount | null; redirectsApi: boolean }> {
  const challenges = new Map<string, string>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', host.url);
    const json = (value: unknown, status = 200): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (url.pathname === '/login/oauth/authorize') {
      const code = newId();
      challenges.set(code, url.searchParams.get('code_challenge') ?? '');
      const state = encodeURIComponent(url.searchParams.get('state') ?? '');
      return void response.writeHead(302, { location: `${url.searchParams.get('redirect_uri')}?code=${code}&state=${state}` }).end();
    }
    if (url.pathname === '/login/oauth/access_token') {
      return void text(request).then((body) => {
        const form = new URLSearchParams(body);
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url');
        // GitHub refuses with status 200.
        if (challenges.get(form.get('code') ?? '') !== challenge) return json({ error: 'bad_verification_code' });
        return json({ access_token: 'a-token', token_type: 'bearer', scope: 'read:user' });
      });
    }
    const { account } = host;
    if (host.redirectsApi) return void response.writeHead(302, { location: `${host.url}/elsewhere` }).end();
    if (account === null || request.headers.authorization !== 'Bearer a-token') return json({ message: 'Bad credentials' }, 401);
    const page = Number(url.searchParams.get('page') ?? '1');
    const pageOf = (items: readonly unknown[]): unknown => items.slice((page - 1) * 100, page * 100);
    const { id, login, name = null, emails, organizations = [], teams = [] } = account;
    if (url.pathname === '/user') return json({ id, login, name, avatar_url: 'https://pictures.example/a.png' });
    if (url.pathname === '/user/emails') return json(pageOf(emails));
    if (url.pathname === '/user/memberships/orgs') {
      return json(
        pageOf(organizations.map((organization) => ({ state: organization.state, organization: { login: organization.login } }))),
      );
    }
    if (url.pathname === '/user/teams') {
      return json(pageOf(teams.map((team) => ({ slug: team.split('/')[1], organization: { login: team.split('/')[0] } }))));
    }
    return json({ message: 'Not Found' }, 404);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const host: { readonly url: string; account: FakeCodeHostAccount | null; redirectsApi: boolean } = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    account: null,
    redirectsApi: false,
  };
  return host;
}
